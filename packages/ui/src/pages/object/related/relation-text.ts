import { inLanguages } from '../../../language/language.ts';
import type { Relation } from './links-of.ts';

/** Describes what the source of an edge does with its target. */
export const relationText = inLanguages<Readonly<Record<Relation, string>>>(
  {
    owns: 'owns',
    selects: 'selects',
    routes: 'routes to',
    scales: 'scales',
    endpoint: 'lists as endpoint',
    mounts: 'mounts',
    reads: 'reads',
    pulls: 'pulls images with',
    runsAs: 'runs as',
    runsOn: 'runs on',
    binds: 'is bound to',
    uses: 'uses',
    grants: 'grants',
    subject: 'is for',
  },
  {
    owns: '拥有',
    selects: '选择',
    routes: '路由到',
    scales: '伸缩',
    endpoint: '列为端点',
    mounts: '挂载',
    reads: '读取',
    pulls: '用于拉取镜像',
    runsAs: '运行身份',
    runsOn: '运行于',
    binds: '绑定到',
    uses: '使用',
    grants: '授予',
    subject: '授予对象',
  },
);

/** Edges have three styles: owning, directing something to the target, and needing the target. */
export type EdgeStyle = 'owns' | 'directs' | 'needs';

const directing: ReadonlySet<Relation> = new Set([
  'selects',
  'routes',
  'scales',
  'endpoint',
  'grants',
  'subject',
]);

export const edgeStyle = (by: Relation): EdgeStyle =>
  by === 'owns' ? 'owns' : directing.has(by) ? 'directs' : 'needs';
