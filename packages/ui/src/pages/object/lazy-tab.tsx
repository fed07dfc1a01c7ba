import type { ComponentType } from 'preact';
import { lazy } from '../../controls/lazy-page.tsx';
import { tabs } from './tabs.ts';
import type { ObjectTab, ObjectTabProps } from './object-tab.ts';

const components = new Map(tabs.map((tab) => [tab, lazy<ObjectTabProps>(tab.load)]));

export const lazyTab = (tab: ObjectTab): ComponentType<ObjectTabProps> => components.get(tab)!;
