/** Counts the attempts to read what has failed. Another one lets every reader on the current page begin again. */

import { signal, type ReadonlySignal } from '@preact/signals';

const count = signal(0);

export const attempt: ReadonlySignal<number> = count;

export const tryAgain = (): void => void count.value++;
