// A company is added by an address: detection says what is behind it, and its settings can be changed before they are saved.
import { useSignal } from '@preact/signals';
import type { Schemas } from '../../../client/routes.generated.ts';
import { setQuery } from '../../address/router.ts';
import { call } from '../../api/call.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { OPEN_PARAM } from '../../parts/drawer.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { Status } from '../../parts/status.tsx';
import { percent, shorten } from '../../parts/text/words.ts';
import { toast } from '../../parts/toasts.tsx';

type Detected = Schemas['DetectCompanyReply'];
const DETECT_MS = 120_000;

const nameFrom = (url: string): string => {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const word = host.split('.').filter((part) => !/^(www|jobs|careers|com|org|net|io|co)$/.test(part))[0] ?? '';
  return word.charAt(0).toUpperCase() + word.slice(1);
};

/** What was typed, as a web address. */
const addressFrom = (text: string): string => (/^\w+:\/\//.test(text.trim()) ? text.trim() : `https://${text.trim()}`);

export function AddCompany({ onAdded }: { onAdded(): void }) {
  const url = useSignal('');
  const name = useSignal('');
  const config = useSignal('');
  const detected = useSignal<Detected | null>(null);
  const isBusy = useSignal<'detect' | 'save' | null>(null);
  const problem = useSignal<Problem | null>(null);
  const close = () => setQuery({ new: null });

  async function detect(): Promise<void> {
    isBusy.value = 'detect';
    problem.value = null;
    detected.value = null;
    try {
      const found = await call('POST /companies/detect', {
        body: { url: addressFrom(url.value) },
        signal: AbortSignal.timeout(DETECT_MS),
      });
      detected.value = found;
      if (name.value === '') name.value = nameFrom(addressFrom(url.value));
      if (found.findings[0]) choose(found.findings[0].scraping_config);
    } catch (error) {
      problem.value = asProblem(error);
    }
    isBusy.value = null;
  }
  const choose = (found: object) => {
    config.value = JSON.stringify(found, null, 2);
  };

  async function save(): Promise<void> {
    isBusy.value = 'save';
    problem.value = null;
    try {
      const scraping_config = JSON.parse(config.value) as Schemas['CreateCompanyRequest']['scraping_config'];
      const made = await call('POST /companies', {
        body: {
          name: name.value.trim(),
          website: url.value.trim() === '' ? null : addressFrom(url.value),
          scraping_config,
        },
      });
      const { data } = await call('POST /companies/{company}/scrape', { path: { company: made.id }, body: {} });
      toast(`${made.name} was added and is scraped now.`, {
        href: `/ui/runs/${encodeURIComponent(data.run_id)}`,
        label: 'Open the run',
      });
      onAdded();
      setQuery({ new: null, [OPEN_PARAM]: made.id });
    } catch (error) {
      problem.value = asProblem(error);
    }
    isBusy.value = null;
  }

  return (
    <Dialog
      title="Add company"
      className="wide"
      onClose={close}
      actions={
        <button
          type="button"
          class="button primary"
          disabled={isBusy.value !== null || name.value.trim() === '' || config.value.trim() === ''}
          onClick={() => void save()}
        >
          Add and scrape
        </button>
      }
    >
      <div class="stack">
        {problem.value && <ProblemNote problem={problem.value} />}
        <form
          class="detect-line"
          onSubmit={(event) => {
            event.preventDefault();
            void detect();
          }}
        >
          <Field label="Address of its career page or website" id="company-url">
            <input
              id="company-url"
              type="text"
              inputMode="url"
              required
              placeholder="acme.example/careers"
              value={url.value}
              onInput={(event) => {
                url.value = event.currentTarget.value;
              }}
            />
          </Field>
          <button type="submit" class="button" disabled={isBusy.value !== null}>
            <Icon name="search" /> {isBusy.value === 'detect' ? 'Looking…' : 'Detect'}
          </button>
        </form>
        <div role="status">
          {isBusy.value === 'detect' && <p class="quiet">Reading the page, and looking for known systems behind it…</p>}
          {detected.value && <Findings detected={detected.value} config={config.value} onChoose={choose} />}
        </div>
        <Field
          label="Name"
          id="company-name"
          isRequired
          problem={problem.value?.fields.find(({ pointer }) => pointer === '/name')?.detail}
        >
          <input
            id="company-name"
            type="text"
            value={name.value}
            onInput={(event) => {
              name.value = event.currentTarget.value;
            }}
          />
        </Field>
        <Field
          label="How it is scraped"
          id="company-config"
          hint="Detection fills it. By hand: the system and its keys, as JSON."
          problem={problem.value?.fields.find(({ pointer }) => pointer.startsWith('/scraping_config'))?.detail}
        >
          <textarea
            id="company-config"
            class="code"
            rows={6}
            spellcheck={false}
            placeholder={'{ "scraper_type": "greenhouse", "board": "acme" }'}
            value={config.value}
            onInput={(event) => {
              config.value = event.currentTarget.value;
            }}
          />
        </Field>
      </div>
    </Dialog>
  );
}

interface FindingsProps {
  detected: Detected;
  config: string;
  onChoose(config: object): void;
}

function Findings({ detected: { findings, hints, looked_at }, config, onChoose }: FindingsProps) {
  return (
    <>
      {findings.length === 0 && (
        <p>No known system was found. Fill in below how it is scraped, or try another address.</p>
      )}
      {hints.map(({ vendor, evidence, advice }) => (
        <p key={vendor}>
          <b>{vendor}</b> <span class="quiet">({shorten(evidence, 120)})</span> has no scraper of its own. {advice}
        </p>
      ))}
      <ul class="plain-list">
        {findings.map(({ scraping_config, confidence, evidence }) => {
          const text = JSON.stringify(scraping_config, null, 2);
          return (
            <li key={text}>
              <label class="line">
                <input
                  type="radio"
                  name="finding"
                  checked={config === text}
                  onChange={() => onChoose(scraping_config)}
                />
                <b>{scraping_config.scraper_type}</b>
                <span class="quiet">
                  {percent(confidence)} sure: {shorten(evidence, 160)}
                </span>
              </label>
            </li>
          );
        })}
      </ul>
      <details>
        <summary class="quiet small">Looked at {looked_at.length} addresses</summary>
        <ul>
          {looked_at.map(({ url, error }) => (
            <li key={url} class="line small">
              <Status status={error ? 'failed' : 'ok'} label={error ? 'failed' : 'read'} />{' '}
              <span class="cut">{shorten(url, 90)}</span>
              {error && <span class="quiet">{shorten(error, 160)}</span>}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
