/** The goals of an exercise in words: `deployment/web has 3 available`. */

/** What a check may ask of the cluster. */
export interface Asked {
  /** Undefined if the object does not exist. @param name `deployment/web` */
  find(name: string): Promise<unknown>;
  /** The output of a command, including errors. */
  printed(line: string): Promise<string>;
}

export interface Check {
  readonly text: string;
  readonly holds: (cluster: Asked) => Promise<boolean>;
}

/** @param object undefined if it does not exist */
type Judge = (object: unknown) => boolean;

const forms: readonly (readonly [RegExp, (...words: string[]) => Judge])[] = [
  [/^exists$/, () => (object) => object !== undefined],
  [/^is gone$/, () => (object) => object === undefined],
  [/^has (\d+) (\w+)$/, (count, word) => (object) => countOf(object, word!) === Number(count)],
  [/^is (\w+)$/, (state) => (object) => isIn(object, state!)],
  [/^has \.?([\w.]+) = (.+)$/, (path, value) => (object) => String(valueAt(object, path!)) === value!.trim()],
];

/** @throws Error for text that matches none of the forms */
export function readCheck(text: string): Check {
  return (
    commandCheck(text) ??
    objectCheck(text) ??
    refuse(
      `a check is “deployment/web has 3 available”, “pod/web is Running”, “service/web exists”, “pod/web is gone”, “deployment/web has spec.replicas = 3” or “kubectl auth can-i list pods prints yes”, not “${text}”`,
    )
  );
}

function commandCheck(text: string): Check | undefined {
  const [, line, verb, wanted] = /^(kubectl .+?) (does not print|prints) (.+)$/.exec(text) ?? [];
  if (wanted === undefined) return undefined;
  const isWanted = verb === 'prints';
  return { text, holds: async ({ printed }) => (await printed(line!)).includes(wanted) === isWanted };
}

function objectCheck(text: string): Check | undefined {
  const [, subject, rest = ''] = /^(\S+\/\S+)\s+(.+)$/.exec(text) ?? [];
  for (const [form, make] of forms) {
    const match = form.exec(rest);
    if (match === null) continue;
    const judge = make(...match.slice(1));
    return { text, holds: async ({ find }) => judge(await find(subject!)) };
  }
  return undefined;
}

function refuse(message: string): never {
  throw new Error(message);
}

const valueAt = (object: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], object);

/** A status field by keyword, such as `available` for `availableReplicas`; a missing field counts as 0. */
const countOf = (object: unknown, word: string): number =>
  Number(valueAt(object, `status.${word}Replicas`) ?? valueAt(object, `status.${word}`) ?? (object ? 0 : -1));

const isIn = (object: unknown, state: string): boolean => {
  const conditions = (valueAt(object, 'status.conditions') ?? []) as readonly {
    type: string;
    status: string;
  }[];
  return (
    valueAt(object, 'status.phase') === state ||
    conditions.some(({ type, status }) => type === state && status === 'True')
  );
};
