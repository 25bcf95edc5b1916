// The query bar: what is typed goes into the URL a moment later. Filters are offered while their name is typed.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useAnswer } from '../../live/answers.ts';
import { Icon } from '../../parts/icon.tsx';
import { FILTERS } from './run-query.ts';

interface QueryBarProps {
  text: string;
  problems: readonly string[];
  onChange(text: string): void;
}

const SETTLE_MS = 250;

const lastWordAt = (text: string): number => text.lastIndexOf(' ') + 1;

/** What the last word may become. */
function offers(text: string, sources: readonly string[]): string[] {
  const word = text.slice(lastWordAt(text));
  const at = word.indexOf(':');
  if (at < 0)
    return Object.keys(FILTERS)
      .filter((name) => name.startsWith(word))
      .map((name) => `${name}:`);
  const name = word.slice(0, at);
  const values = name === 'source' ? sources : (FILTERS[name]?.values ?? []);
  const given = word.slice(at + 1);
  return values
    .filter((value) => value.startsWith(given) && value !== given)
    .map((value) => `${name}:${value}`)
    .slice(0, 8);
}

export function QueryBar({ text, problems, onChange }: QueryBarProps) {
  const typed = useSignal(text);
  const hasFocus = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  const sources = useAnswer('GET /sources', {}, { every: 0, isOn: hasFocus.value });
  const send = useRef(onChange);
  send.current = onChange;
  useEffect(() => {
    typed.value = text;
  }, [text, typed]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed.value.trim() !== text) send.current(typed.value.trim());
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed.value, text, typed]);
  const choose = (offer: string) => {
    typed.value = `${typed.value.slice(0, lastWordAt(typed.value))}${offer}${offer.endsWith(':') ? '' : ' '}`;
    input.current?.focus();
  };
  const shown = hasFocus.value ? offers(typed.value, sources.data?.sources.map(({ name }) => name) ?? []) : [];
  return (
    <search
      class="query-bar"
      onFocusIn={() => {
        hasFocus.value = true;
      }}
      onFocusOut={(event) => {
        const next = event.relatedTarget;
        hasFocus.value = next instanceof Node && event.currentTarget.contains(next);
      }}
    >
      <Icon name="search" />
      <input
        ref={input}
        data-search
        type="search"
        aria-label="Filter runs"
        placeholder="status:failed source:indeed age:<1d milk"
        autocomplete="off"
        spellcheck={false}
        aria-describedby={problems.length > 0 ? 'query-problems' : undefined}
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
        }}
      />
      {problems.length > 0 && (
        <p class="field-problem" id="query-problems" role="alert">
          {problems.join(' ')}
        </p>
      )}
      {shown.length > 0 && (
        <div class="offers">
          {shown.map((offer) => (
            <button key={offer} type="button" class="button small" onClick={() => choose(offer)}>
              {offer}
            </button>
          ))}
        </div>
      )}
    </search>
  );
}
