/** The views of an object, each a folder that is loaded when it is first opened. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import type { ComponentType } from 'preact';
import { inLanguages } from '../../language/language.ts';

export interface ObjectTabProps {
  readonly kind: ApiResource;
  readonly namespace: string | undefined;
  readonly name: string;
  /** As it is, or was last. */
  readonly object: KubeObject;
  readonly isDeleted: boolean;
}

export interface ObjectTab {
  readonly id: string;
  readonly title: () => string;
  readonly load: () => Promise<{ readonly default: ComponentType<ObjectTabProps> }>;
  /** For all kinds, if undefined. */
  readonly isFor?: (kind: ApiResource) => boolean;
}

const text = inLanguages(
  { about: 'Summary', related: 'Related', yaml: 'YAML', history: 'History', logs: 'Logs', terminal: 'Shell' },
  { about: '概要', related: '关联', yaml: 'YAML', history: '历史', logs: '日志', terminal: '终端' },
);

const isPod = ({ group, resource }: ApiResource): boolean => group === '' && resource === 'pods';

const havePods: ReadonlySet<string> = new Set([
  '/pods',
  '/replicationcontrollers',
  'apps/deployments',
  'apps/statefulsets',
  'apps/daemonsets',
  'apps/replicasets',
  'batch/jobs',
]);

export const tabs: readonly ObjectTab[] = [
  { id: 'summary', title: () => text().about, load: () => import('./summary/summary.tsx') },
  { id: 'related', title: () => text().related, load: () => import('./related/related.tsx') },
  { id: 'yaml', title: () => text().yaml, load: () => import('./yaml/yaml-tab.tsx') },
  { id: 'history', title: () => text().history, load: () => import('./history/history.tsx') },
  {
    id: 'logs',
    title: () => text().logs,
    load: () => import('./logs/logs.tsx'),
    isFor: ({ group, resource }) => havePods.has(`${group}/${resource}`),
  },
  {
    id: 'shell',
    title: () => text().terminal,
    load: () => import('./terminal/terminal-tab.tsx'),
    isFor: isPod,
  },
];
