/** The views of an object, each in its own directory and loaded when it is first opened. */

import { inLanguages } from '../../language/language.ts';
import { havePods, isPod } from './pod-selector.ts';
import type { ObjectTab } from './object-tab.ts';

const text = inLanguages(
  { about: 'Summary', related: 'Related', yaml: 'YAML', history: 'History', logs: 'Logs', terminal: 'Shell' },
  { about: '概要', related: '关联', yaml: 'YAML', history: '历史', logs: '日志', terminal: '终端' },
);

export const tabs: readonly ObjectTab[] = [
  { id: 'summary', title: () => text().about, load: () => import('./summary/summary.tsx') },
  { id: 'related', title: () => text().related, load: () => import('./related/related.tsx') },
  { id: 'yaml', title: () => text().yaml, load: () => import('./yaml/yaml-tab.tsx') },
  { id: 'history', title: () => text().history, load: () => import('./history/history.tsx') },
  {
    id: 'logs',
    title: () => text().logs,
    load: () => import('./logs/logs.tsx'),
    isFor: (kind) => isPod(kind) || havePods(kind),
  },
  {
    id: 'shell',
    title: () => text().terminal,
    load: () => import('./terminal/terminal-tab.tsx'),
    isFor: isPod,
  },
];
