/** The table about performance: what the last comparison with the original has measured. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BesideOriginal } from './beside-original.ts';
import { markdownTable, ranAt, type Language } from './table.ts';

const file = path.join(import.meta.dirname, '../../../bench/beside-original.json');

/** By their names in the comparison, in the order of the page. */
const steps: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  get: { en: 'get', zh: '读取' },
  'get-cached': { en: 'get from the cache (`resourceVersion=0`)', zh: '从缓存读取（`resourceVersion=0`）' },
  create: { en: 'create a ConfigMap', zh: '创建 ConfigMap' },
  'create/pod': { en: 'create a pod', zh: '创建 Pod' },
  update: { en: 'update', zh: '更新' },
  'patch-merge': { en: 'merge patch', zh: '合并补丁' },
  'patch-strategic': { en: 'strategic merge patch of a Deployment', zh: '对 Deployment 的策略性合并补丁' },
  apply: { en: 'server-side apply of a Deployment', zh: '服务端应用 Deployment' },
  'status-patch': { en: 'status of a pod, as a kubelet writes it', zh: 'Pod 状态，由 kubelet 写入' },
  delete: { en: 'delete', zh: '删除' },
  'lease-heartbeats': { en: 'lease renewal', zh: '租约续期' },
  mixed: { en: 'what kubelets send, mixed', zh: 'kubelet 请求的混合' },
  'list/1k': { en: 'list 1,000 ConfigMaps, compressed', zh: '列出 1,000 个 ConfigMap，压缩' },
  'list/10k': { en: 'list 10,000 ConfigMaps, compressed', zh: '列出 10,000 个 ConfigMap，压缩' },
  'list/10k-identity': {
    en: 'list 10,000 ConfigMaps, not compressed',
    zh: '列出 10,000 个 ConfigMap，不压缩',
  },
  'list-selector/1k': { en: 'list by label, 10 of 1,000', zh: '按标签列出，1,000 个中的 10 个' },
  'list-selector/10k': { en: 'list by label, 100 of 10,000', zh: '按标签列出，10,000 个中的 100 个' },
  'list-table/pods-200': { en: 'table of 200 pods for kubectl', zh: 'kubectl 的 200 个 Pod 的表格' },
  'list-table/pods-1k': { en: 'table of 1,000 pods for kubectl', zh: 'kubectl 的 1,000 个 Pod 的表格' },
  'watchlist/1k': {
    en: 'initial events of 1,000 objects, 4 watches',
    zh: '1,000 个对象的初始事件，4 个监视',
  },
  'watchlist/10k-x20': {
    en: 'initial events of 10,000 objects, 20 watches',
    zh: '10,000 个对象的初始事件，20 个监视',
  },
  'watch-fanout/100': { en: 'events to 100 watches', zh: '向 100 个监视发送事件' },
  'watch-fanout/1000': { en: 'events to 1,000 watches', zh: '向 1,000 个监视发送事件' },
  'watch-selective/500': {
    en: 'events to 500 watches, each of one node',
    zh: '向 500 个监视发送事件，各监视一个节点',
  },
  connect: { en: 'requests over a new connection each', zh: '每个请求使用新连接' },
  discovery: { en: 'discovery', zh: '发现' },
  startup: { en: 'start until the first write', zh: '从启动到第一次写入' },
};

const head: Readonly<Record<Language, readonly string[]>> = {
  en: ['requests', 'median', 'lowest – highest of the pairs'],
  zh: ['请求', '中位数', '各对的最低值 – 最高值'],
};

export function performanceTable(language: Language): string {
  const results = JSON.parse(readFileSync(file, 'utf8')) as BesideOriginal;
  const rows = Object.entries(steps).flatMap(([id, name]) => {
    const ratios = results.steps.find((step) => step.id === id)?.ratios.toSorted((a, b) => a - b);
    if (ratios === undefined) return [];
    const shown = ratios.map((ratio) => ratio.toPrecision(2));
    return [[name[language], shown[shown.length >> 1]!, `${shown[0]} – ${shown.at(-1)}`]];
  });
  const { date, commit, machine, load } = results;
  const where = { en: `${machine}, load ${load.at(-1)}`, zh: `${machine}，负载 ${load.at(-1)}` };
  return `${markdownTable([head[language], ...rows])}\n${where[language]}; ${ranAt(date, commit)[language]}\n`;
}
