/** A list's or watch's answer without what differs from server to server: revisions become names. */
import { decodeContinue } from '@coxswain/apiserver/registry/continue-token.ts';

export interface SeenEvent {
  readonly type: string;
  readonly object: SeenObject;
}

interface SeenObject {
  readonly kind?: string;
  readonly code?: number;
  readonly metadata?: {
    readonly name?: string;
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly items?: readonly SeenObject[];
}

/** One line per fact, so that differences read as text. */
export type ListAnswer = readonly string[];

export interface Seeds {
  readonly first: number;
  /** At the end of the seeding: what is read as newest has this revision or a later one. */
  readonly newest: number;
  readonly future: number;
}

export function viewOf(
  status: number,
  body: unknown,
  events: readonly SeenEvent[],
  seeds: Seeds,
): ListAnswer {
  if (body === undefined) {
    const lines = events.filter(isDue).map((event) => eventLine(event, seeds));
    return [`status ${status}`, ...lines];
  }
  const object = body as SeenObject;
  if (object.items === undefined) return [`status ${status}`, statusLine(object, seeds)];
  const { resourceVersion, continue: token, remainingItemCount } = object.metadata ?? {};
  return [
    `status ${status}`,
    `resourceVersion ${revisionName(resourceVersion, seeds)}`,
    `items ${object.items.map(({ metadata }) => metadata?.name).join(' ')}`,
    `continue ${tokenName(token, seeds)}`,
    `remainingItemCount ${remainingItemCount}`,
  ];
}

/** Bookmarks that only tell of progress come when they come. */
const isDue = ({ type, object }: SeenEvent): boolean =>
  type !== 'BOOKMARK' || object.metadata?.annotations !== undefined;

function eventLine({ type, object }: SeenEvent, seeds: Seeds): string {
  if (type === 'ERROR') return `ERROR ${statusLine(object, seeds)}`;
  if (type !== 'BOOKMARK') return `${type} ${object.metadata?.name}`;
  const { resourceVersion, annotations } = object.metadata ?? {};
  return `BOOKMARK ${object.kind} ${revisionName(resourceVersion, seeds)} ${JSON.stringify(annotations)}`;
}

function statusLine(status: unknown, seeds: Seeds): string {
  const text = JSON.stringify(status, (key, value: unknown) =>
    key === 'continue' ? tokenName(value as string, seeds) : value,
  );
  return text
    .replaceAll(/current: \d+/g, 'current: N')
    .replaceAll(/\(\d+\)/g, '(N)')
    .replaceAll(String(seeds.first), 'FIRST');
}

function revisionName(text: string | undefined, { first, newest, future }: Seeds): string {
  if (text === undefined || text === '') return 'none';
  const revision = Number(text);
  if (revision === first) return 'first';
  if (revision === future) return 'future';
  return revision >= newest ? 'newest' : revision > first ? 'later than first' : 'earlier than first';
}

function tokenName(token: string | undefined, seeds: Seeds): string {
  if (token === undefined) return 'none';
  const { revision, start } = decodeContinue(token);
  return `${revision === undefined ? 'inconsistent' : revisionName(String(revision), seeds)} ${JSON.stringify(start)}`;
}
