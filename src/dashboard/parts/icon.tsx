// Icons as outlines of 16 by 16, drawn with the colour of the text. Each is one path, so there is no font and no request for them.
const PATHS = {
  overview: 'M2 9h3l2 4 3-10 2 6h2',
  plus: 'M8 3v10M3 8h10',
  runs: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  data: 'M3 3.5h10v9H3zM3 6.5h10M6.5 6.5v6',
  sources: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c2 2 2.5 4 2.5 6S10 12 8 14c-2-2-2.5-4-2.5-6S6 4 8 2',
  schedule: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3.2l2 1.6',
  company: 'M3 13.5v-11h6v11M9 6h4v7.5M2 13.5h12M5 5h2M5 7.5h2M5 10h2',
  worker: 'M4.5 4.5h7v7h-7zM6.5 2v2.5M9.5 2v2.5M6.5 11.5V14M9.5 11.5V14M2 6.5h2.5M2 9.5h2.5M11.5 6.5H14M11.5 9.5H14',
  dead: 'M2.5 4h11v8.5h-11zM2.5 4.5 8 9l5.5-4.5M6 11l4-4',
  bell: 'M4.5 7a3.5 3.5 0 0 1 7 0c0 3 1.5 4 1.5 4H3s1.5-1 1.5-4zM6.7 13.3a1.5 1.5 0 0 0 2.6 0',
  key: 'M10 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM7.8 8.2 3 13M5 11l1.5 1.5',
  settings: 'M2.5 5h7M12.5 5h1M2.5 11h1M6.5 11h7M11 3.5v3M5 9.5v3',
  book: 'M3 3h4a1.5 1.5 0 0 1 1 .5A1.5 1.5 0 0 1 9 3h4v9.5H9.5A1.5 1.5 0 0 0 8 13.5a1.5 1.5 0 0 0-1.5-1H3zM8 4v9',
  cart: 'M1.5 2.5H3l1.5 7.5h7l1.5-5.5H3.7M5.5 12.8h.1M10.5 12.8h.1',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 14 14',
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  warning: 'M8 2.5 14 13H2zM8 6.5v3M8 11.3v.1',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3.2l2 1.6',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.5v9l7.5-4.5z',
  stop: 'M4 4h8v8H4z',
  half: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM5.5 8h5',
  retry: 'M13 8a5 5 0 1 1-1.5-3.5M13 2.5V5h-2.5',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  left: 'M10 4 6 8l4 4',
  up: 'M4 10l4-4 4 4',
  external: 'M6 3.5H3v9.5h9.5V10M9 3h4v4M13 3 7.5 8.5',
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
  download: 'M8 2.5v7M5 7l3 3 3-3M3 13h10',
  sun: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  moon: 'M13 9.5A5.5 5.5 0 1 1 6.5 3 4.5 4.5 0 0 0 13 9.5z',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  filter: 'M2.5 3.5h11L9.5 8.5v4l-3-1.5v-2.5z',
  columns: 'M2.5 3h11v10h-11zM6 3v10M10 3v10',
  live: 'M8 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM4.5 4.5a5 5 0 0 0 0 7M11.5 4.5a5 5 0 0 1 0 7',
  article: 'M4 2.5h8v11H4zM6 5.5h4M6 8h4M6 10.5h2.5',
  posting: 'M2.5 5.5h11v7.5h-11zM6 5.5V3h4v2.5M2.5 9h11',
  help: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM6.3 6.5c0-2 3.4-2 3.4 0 0 1.2-1.7 1.2-1.7 2.5M8 11v.1',
  out: 'M9.5 3H3.5v10h6M7 8h6.5M11 5.5 13.5 8 11 10.5',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1',
} as const;

export type IconName = keyof typeof PATHS;

/** Beside a word, which says the same; alone it needs the label of its button. */
export function Icon({ name, className }: { name: IconName; className?: string }) {
  return (
    <svg class={className ? `icon ${className}` : 'icon'} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
