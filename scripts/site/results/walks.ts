/** The table about other languages: what `npm run walks` has measured. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { WalkResults } from '../../../test/interop/walks/results.ts';
import { markdownTable, ranAt, type Language } from './table.ts';

const file = path.join(import.meta.dirname, '../../../test/interop/walks/results.json');

const head: Readonly<Record<Language, readonly string[]>> = {
  en: ['with', 'downloaded, MB', 'compiling dependencies, s of processor', 'first assertion, s'],
  zh: ['工具', '下载，MB', '编译依赖，处理器秒', '第一个断言，秒'],
};

export function walksTable(language: Language): string {
  const { walks } = JSON.parse(readFileSync(file, 'utf8')) as WalkResults;
  const rows = walks.map(({ name, downloadedBytes, compileProcessorSeconds, assertionSeconds }) => [
    name,
    (downloadedBytes / 1e6).toFixed(0),
    compileProcessorSeconds?.toFixed(0) ?? '–',
    assertionSeconds.toFixed(1),
  ]);
  const runs = Map.groupBy(
    walks,
    ({ machine, date, commit }) => `${machine}; ${ranAt(date, commit)[language]}`,
  );
  const lines = [...runs].map(([run, ofRun]) =>
    runs.size === 1 ? run : `${ofRun.map(({ name }) => name).join(', ')}: ${run}`,
  );
  return `${markdownTable([head[language], ...rows])}\n${lines.join('\n\n')}\n`;
}
