// A company by the address of its career page: how it can be scraped is found out first and shown, then it is added and scraped.
import { useSignal } from '@preact/signals';
import { call, type Reply } from '../../api/call.ts';
import { Field } from '../../parts/form/field.tsx';
import { percent } from '../../parts/text/words.ts';
import { companyExamples } from './examples.ts';
import { FormFrame } from './form-frame.tsx';
import { useSubmit } from './use-submit.ts';

type Detected = Reply<'POST /companies/detect'>;

/** `careers.acme.com` → `acme`. */
function nameFrom(url: string): string {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const parts = host.split('.').filter((part) => !['www', 'careers', 'jobs', 'boards', 'apply'].includes(part));
  return parts.length > 1 ? parts.slice(0, -1).join(' ') : (parts[0] ?? '');
}

/** Unknown ones are refused with what is known of the address, so that nobody adds what cannot be scraped. */
async function detect(url: string): Promise<Detected> {
  return call('POST /companies/detect', { body: { url } });
}

export function CompanyForm() {
  const url = useSignal('');
  const name = useSignal('');
  const detected = useSignal<Detected | null>(null);
  const { problem, isBusy, submit } = useSubmit();
  const best = detected.value?.findings[0];
  const wanted = name.value.trim() || nameFrom(url.value.trim());
  const wrong = problem?.fields.find(({ pointer }) => /^\/(url|website)/.test(pointer))?.detail;
  const request = { url: url.value.trim(), wanted };
  return (
    <FormFrame
      about="Finds out how a career page can be scraped, adds the company, and reads its open positions."
      action="Add and scrape"
      isBusy={isBusy}
      isReady={request.url !== '' && wanted !== ''}
      problem={problem}
      examples={companyExamples(location.origin, request.url || 'https://careers.example.com')}
      onExample={() => {
        url.value = 'https://boards.greenhouse.io/acme';
        name.value = 'Acme';
      }}
      onSubmit={() =>
        void submit(request, async () => {
          detected.value = await detect(request.url);
          const config = detected.value.findings[0]?.scraping_config;
          if (!config)
            throw new Error(
              'Nothing was found at this address that can be scraped. Use the address of the list of jobs, or add the company with its settings: POST /companies.',
            );
          const company = await call('POST /companies', {
            body: { name: wanted, website: request.url, scraping_config: config } as never,
          });
          const { data } = await call('POST /companies/{company}/scrape', {
            path: { company: company.id },
            body: { incremental: false },
          });
          return data.run_id;
        })
      }
    >
      <Field label="Address of the career page" id="company-url" isRequired problem={wrong}>
        <input
          id="company-url"
          type="text"
          inputMode="url"
          placeholder="https://careers.example.com"
          aria-invalid={wrong !== undefined}
          aria-describedby={wrong ? 'company-url-problem' : undefined}
          value={url.value}
          onInput={(event) => {
            url.value = event.currentTarget.value;
          }}
        />
      </Field>
      <Field label="Name" id="company-name" hint="What you call the company. It has to be a new one.">
        <input
          id="company-name"
          type="text"
          placeholder={nameFrom(url.value.trim())}
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value;
          }}
        />
      </Field>
      {best && (
        <p role="status">
          Found <b>{best.scraping_config.scraper_type}</b>, {percent(best.confidence)} sure: {best.evidence}
        </p>
      )}
    </FormFrame>
  );
}
