/** Icons of 16 by 16 pixels, drawn as one line in the colour of the surrounding text. */

const paths = {
  overview: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.6 10.6 14 14',
  workload: 'M8 1.8 13.5 5v6L8 14.2 2.5 11V5ZM2.5 5 8 8.1 13.5 5M8 8.1v6.1',
  network:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM2 8h12M8 2c2 1.8 2.8 3.8 2.8 6S10 12.2 8 14C6 12.2 5.2 10.2 5.2 8S6 3.8 8 2Z',
  config:
    'M2 4.5h7M12.5 4.5H14M2 11.5h1.5M7 11.5h7M9 4.5a1.75 1.75 0 1 0 3.5 0 1.75 1.75 0 0 0-3.5 0ZM3.5 11.5a1.75 1.75 0 1 0 3.5 0 1.75 1.75 0 0 0-3.5 0Z',
  storage:
    'M2.5 4c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2-2.5-2-5.5-2-5.5.9-5.5 2ZM2.5 4v8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2V4M2.5 8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2',
  access: 'M3.5 7V5.5a4.5 4.5 0 0 1 9 0V7M2.8 7h10.4v7H2.8zM8 9.8v1.6',
  cluster: 'M2 2.5h12v4H2zM2 9.5h12v4H2zM4.5 4.5h.01M4.5 11.5h.01',
  custom: 'M6 2.5H2.5V6M10 2.5h3.5V6M6 13.5H2.5V10M10 13.5h3.5V10M5.5 8h5M8 5.5v5',
  trace: 'M2 3.5h7M4 6.5h9M6 9.5h5M9 12.5h5',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.6',
  schedule: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 1.8v3M10.5 1.8v3',
  flask: 'M6 2h4M6.8 2v4L3 12.6a1 1 0 0 0 .9 1.4h8.2a1 1 0 0 0 .9-1.4L9.2 6V2M4.8 9.8h6.4',
  book: 'M8 3.6C6.6 2.6 4.6 2.3 2.5 2.5v10c2.1-.2 4.1.1 5.5 1.1 1.4-1 3.4-1.3 5.5-1.1v-10C11.4 2.3 9.4 2.6 8 3.6ZM8 3.6v10',
  chevron: 'm6 3.5 4.5 4.5L6 12.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  plus: 'M8 3v10M3 8h10',
  close: 'm4 4 8 8M12 4l-8 8',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1',
  moon: 'M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z',
  screen: 'M2 3h12v8H2zM5.5 14h5M8 11v3',
  help: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.2 6.2a1.9 1.9 0 1 1 2.7 1.7c-.6.3-.9.6-.9 1.2M8 11.2h.01',
  trash: 'M2.5 4.5h11M6 4.5V2.5h4v2M4 4.5l.7 9h6.6l.7-9',
  scale: 'M2.5 13.5v-4h4M2.5 13.5l4.5-4.5M13.5 2.5v4h-4M13.5 2.5 9 7',
  restart: 'M13.2 6.5A5.5 5.5 0 1 0 13.5 9M13.5 2.5v4h-4',
  undo: 'M5.5 2.5 2.5 5.5l3 3M2.5 5.5H9a4.25 4.25 0 0 1 0 8.5H5',
  label: 'M2.5 2.5h5l6 6-5 5-6-6ZM5.2 5.2h.01',
  play: 'M4.5 2.8v10.4L13 8Z',
  pause: 'M5 3v10M11 3v10',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  warning: 'M8 2 14.5 13.5h-13ZM8 6.5v3.2M8 11.6h.01',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  terminal: 'M2 2.5h12v11H2zM4.5 6l2 2-2 2M8.5 10.2h3',
  link: 'M6.5 9.5 9.5 6.5M7.2 4.4l1-1a3.1 3.1 0 0 1 4.4 4.4l-1 1M8.8 11.6l-1 1a3.1 3.1 0 0 1-4.4-4.4l1-1',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.4"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);
