import { inLanguages } from '../../language/language.ts';
import type { Grant as Granted } from './roles-matrix.ts';

const text = inLanguages(
  { all: 'granted', some: 'only for named objects', none: 'not granted' },
  { all: '已授予', some: '仅限角色列出的对象', none: '未授予' },
);

const marks: Readonly<Record<Granted, string>> = { all: '✓', some: '◐', none: '·' };
const tones = { all: 'ok', some: 'warn', none: 'idle' } as const;

/** A cell of a table of permissions. */
export const Grant = ({ grant }: { readonly grant: Granted }) => (
  <td data-tone={tones[grant]} title={text()[grant]}>
    <span role="img" aria-label={text()[grant]}>
      {marks[grant]}
    </span>
  </td>
);

export const grantsLegend = (): string =>
  (['all', 'some'] as const).map((grant) => `${marks[grant]} ${text()[grant]}`).join(' · ');
