/** The language of the root's help: that of LC_ALL, LC_MESSAGES or LANG, otherwise English. */
export type Language = 'en' | 'zh';

export function languageOf(env: Readonly<Record<string, string | undefined>>): Language {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  return locale.startsWith('zh') ? 'zh' : 'en';
}

export type Text = Readonly<Record<Language, string>>;
