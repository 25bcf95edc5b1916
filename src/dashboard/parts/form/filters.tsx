// Filters of a list, each kept in the URL under the name that the API has for it.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { queryParam, setQuery } from '../../address/router.ts';
import { Icon } from '../icon.tsx';

const SETTLE_MS = 250;

interface TextFilterProps {
  param: string;
  label: string;
  placeholder?: string;
  type?: 'search' | 'number' | 'date' | 'text';
  /** `/` goes there. */
  isMain?: boolean;
}

/** What is typed goes into the URL a moment later. */
export function TextFilter({ param, label, placeholder, type = 'search', isMain = false }: TextFilterProps) {
  const inUrl = queryParam(param) ?? '';
  const typed = useSignal(inUrl);
  useEffect(() => {
    typed.value = inUrl;
  }, [inUrl, typed]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed.value.trim() !== inUrl) setQuery({ [param]: typed.value.trim() });
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed.value, inUrl, param, typed]);
  return (
    <label class={isMain ? 'filter main' : 'filter'}>
      <span class={isMain ? 'for-readers' : ''}>{label}</span>
      {isMain && <Icon name="search" />}
      <input
        type={type as 'text'}
        placeholder={placeholder}
        value={typed.value}
        autocomplete="off"
        {...(isMain ? { 'data-search': true } : {})}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
        }}
      />
    </label>
  );
}

interface ChoiceFilterProps {
  param: string;
  label: string;
  options: readonly (string | readonly [value: string, label: string])[];
  /** What it says when nothing is chosen. */
  none?: string;
}

export function ChoiceFilter({ param, label, options, none = 'All' }: ChoiceFilterProps) {
  const chosen = queryParam(param) ?? '';
  return (
    <label class="filter">
      <span>{label}</span>
      <select value={chosen} onChange={(event) => setQuery({ [param]: event.currentTarget.value })}>
        <option value="">{none}</option>
        {options.map((option) => {
          const [value, text] = typeof option === 'string' ? [option, option.replaceAll('_', ' ')] : option;
          return (
            <option key={value} value={value}>
              {text}
            </option>
          );
        })}
      </select>
    </label>
  );
}

/** The parameters of the URL among `names`, for a query. */
export function queryOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => ((value) => (value ? [[name, value]] : []))(queryParam(name))));
}
