import { expect, test } from 'vitest';
import { bool, command, int, lazy } from '../index.ts';
import { manPages } from './man-pages.ts';
import { markdownPages } from './markdown-pages.ts';

const times = command({
  use: 'times NUMBER',
  short: 'Multiply a number',
  long: 'Multiply a number.\n\n.5 is a number, too.',
  example: '  calc times 3 --by=4',
  flags: { by: int({ default: 2, usage: 'the other factor' }), secret: bool({ hidden: true, usage: 'x' }) },
  run: () => undefined,
});
const root = command({
  use: 'calc',
  short: 'A calculator',
  persistentFlags: { loud: bool({ shorthand: 'l', usage: 'with an exclamation mark' }) },
  commands: [
    lazy({ name: 'times', short: 'Multiply a number', load: async () => times }),
    command({ use: 'hidden', hidden: true, run: () => undefined }),
  ],
});

test('Markdown has a page for each command that help shows, linked both ways', async () => {
  const pages = await markdownPages(root);
  expect([...pages.keys()]).toEqual(['calc.md', 'calc_times.md']);
  expect(pages.get('calc.md')).toContain('* [calc times](calc_times.md)\t - Multiply a number\n');
  expect(pages.get('calc_times.md')).toBe(`## calc times

Multiply a number

### Synopsis

Multiply a number.

.5 is a number, too.

\`\`\`
calc times NUMBER [flags]
\`\`\`

### Examples

\`\`\`
  calc times 3 --by=4
\`\`\`

### Options

\`\`\`
      --by int   the other factor (default 2)
  -h, --help     help for times
\`\`\`

### Options inherited from parent commands

\`\`\`
  -l, --loud   with an exclamation mark
\`\`\`

### SEE ALSO

* [calc](calc.md)\t - A calculator
`);
});

test('a manual page says the same, and its text cannot be taken for a request', async () => {
  const pages = await manPages(root, { date: 'Nov 2026', source: 'Calc' });
  expect([...pages.keys()]).toEqual(['calc.1', 'calc-times.1']);
  const page = pages.get('calc-times.1') ?? '';
  expect(page).toContain('.TH "CALC\\-TIMES" "1" "Nov 2026" "Calc" ""\n.SH NAME\ncalc\\-times \\- Multiply');
  expect(page).toContain('Multiply a number.\n.PP\n\\&.5 is a number, too.\n');
  expect(page).toContain('.nf\n      \\-\\-by int   the other factor (default 2)\n');
  expect(page).toContain('.SH SEE ALSO\n\\fBcalc(1)\\fP\n');
});
