import type { KubeObject } from '@coxswain/apimachinery';
import type { Event } from './events.ts';

/** What a describer may request in addition to the object. */
export interface DescribeContext {
  readonly nowMs: number;
  readonly showEvents: boolean;
  /** Returns all objects of a list, in pages. */
  list<T extends KubeObject>(path: string, query?: Readonly<Record<string, string>>): Promise<T[]>;
  get<T extends KubeObject>(path: string): Promise<T>;
  /** Undefined if events weren't requested. */
  events(object: KubeObject, query?: EventQuery): Promise<Event[] | undefined>;
}

export interface EventQuery {
  /** Events of pods are looked up without their kind. */
  readonly anyKind?: boolean;
  readonly uid?: string;
}

export type Describer = (object: KubeObject, context: DescribeContext) => Promise<string>;
