/**
 * The language of the page. Each page declares its texts in all languages and reads the current one when it is
 * rendered.
 */

import { signal } from '@preact/signals';

export type Language = 'en' | 'zh';

const key = 'coxswain-language';

const preferred = (): Language => {
  // There is no document in unit tests.
  const stored = typeof document === 'undefined' ? null : localStorage.getItem(key);
  if (stored === 'en' || stored === 'zh') return stored;
  return navigator.language.startsWith('zh') ? 'zh' : 'en';
};

export const language = signal<Language>(preferred());

export function speak(chosen: Language): void {
  localStorage.setItem(key, chosen);
  language.value = chosen;
  document.documentElement.lang = chosen;
}

/** `const text = inLanguages({ pods: 'Pods' }, { pods: '容器组' })`, then `text().pods`. */
export const inLanguages =
  <T>(en: T, zh: T): (() => T) =>
  () =>
    language.value === 'zh' ? zh : en;
