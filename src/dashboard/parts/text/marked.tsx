// Text with the words that were searched for. The API marks them in text that is escaped otherwise; here it becomes text again, so nothing of it is ever HTML.
const MARK = /<mark>([^<]*)<\/mark>/;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

const plain = (text: string): string => text.replace(/&(#?\w{1,5});/g, (all, name: string) => ENTITIES[name] ?? all);

export function Marked({ text }: { text: string }) {
  return (
    <span class="marked">
      {text.split(MARK).map((part, at) => (at % 2 === 1 ? <mark key={at}>{plain(part)}</mark> : plain(part)))}
    </span>
  );
}
