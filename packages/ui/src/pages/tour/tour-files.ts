/** The files of `docs/tour` in the bundle; each is loaded when it is first opened. */

import type { ReadFile } from './chapters.ts';

const directory = '../../../../../docs/tour/';

const files = import.meta.glob<string>('../../../../../docs/tour/**/*.md', {
  query: '?raw',
  import: 'default',
});

export const readTourFile: ReadFile = async (file) => files[`${directory}${file}`]?.();
