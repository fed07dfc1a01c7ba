/** The language of the page. Each room has its texts beside it, in all languages, and asks for them when it draws. */

import { signal } from '@preact/signals';

export type Language = 'en' | 'zh';

const key = 'coxswain-language';

const preferred = (): Language => {
  // Tests of single files have none.
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
