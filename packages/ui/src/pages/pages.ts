/**
 * The pages, each in its own directory and loaded when it is first opened. The first segment of an address selects the
 * page, which reads the rest.
 */

import type { ComponentType } from 'preact';
import { facts } from '../cluster/cluster.ts';
import type { IconName } from '../design/icon.tsx';
import { inLanguages } from '../language/language.ts';

export interface PageDefinition {
  /** The first segment of its addresses; empty for the start page. */
  readonly room: string;
  readonly title: () => string;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
  /** The entry in the navigation; pages without one are reached from others. */
  readonly navigation?: {
    readonly icon: IconName;
    /** Hides a page that needs something the server does not have. */
    readonly isShown?: () => boolean;
  };
}

const text = inLanguages(
  {
    overview: 'Overview',
    scheduler: 'Scheduler',
    access: 'Access',
    time: 'Time',
    testCluster: 'Test cluster',
    tour: 'Tour',
    explore: 'Explorer',
    object: 'Object',
    create: 'Create',
  },
  {
    overview: '概览',
    scheduler: '调度',
    access: '权限',
    time: '时间',
    testCluster: '测试集群',
    tour: '导览',
    explore: '资源',
    object: '对象',
    create: '创建',
  },
);

export const pages: readonly PageDefinition[] = [
  {
    room: '',
    title: () => text().overview,
    load: () => import('./overview/overview.tsx'),
    navigation: { icon: 'overview' },
  },
  {
    room: 'scheduler',
    title: () => text().scheduler,
    load: () => import('./scheduler/scheduler.tsx'),
    navigation: { icon: 'schedule' },
  },
  {
    room: 'access',
    title: () => text().access,
    load: () => import('./access/access.tsx'),
    navigation: { icon: 'access' },
  },
  {
    room: 'time',
    title: () => text().time,
    load: () => import('./time/time.tsx'),
    navigation: { icon: 'clock' },
  },
  {
    room: 'test-cluster',
    title: () => text().testCluster,
    load: () => import('./test-cluster/test-cluster.tsx'),
    navigation: { icon: 'flask', isShown: () => facts.value.isTestCluster },
  },
  {
    room: 'tour',
    title: () => text().tour,
    load: () => import('./tour/tour.tsx'),
    navigation: { icon: 'book' },
  },
  { room: 'object', title: () => text().object, load: () => import('./object/object.tsx') },
  { room: 'create', title: () => text().create, load: () => import('./create/create.tsx') },
  { room: 'explore', title: () => text().explore, load: () => import('./explorer/explorer.tsx') },
];

export const pageOf = (path: string): PageDefinition | undefined => {
  const room = path.split('/')[1] ?? '';
  return pages.find((page) => page.room === room);
};
