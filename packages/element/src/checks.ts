/** What an exercise asks for, in words: `deployment/web has 3 available`. */

export interface Check {
  readonly text: string;
  /** `deployment/web` */
  readonly subject: string;
  /** @param object undefined when there is none */
  readonly holds: (object: unknown) => boolean;
}

const forms: readonly (readonly [RegExp, (...words: string[]) => Check['holds']])[] = [
  [/^exists$/, () => (object) => object !== undefined],
  [/^is gone$/, () => (object) => object === undefined],
  [/^has (\d+) (\w+)$/, (count, word) => (object) => countOf(object, word!) === Number(count)],
  [/^is (\w+)$/, (state) => (object) => isIn(object, state!)],
  [/^has \.?([\w.]+) = (.+)$/, (path, value) => (object) => String(valueAt(object, path!)) === value!.trim()],
];

/** @throws Error for words that are none of the forms */
export function readCheck(text: string): Check {
  const [, subject, rest] = /^(\S+\/\S+)\s+(.+)$/.exec(text) ?? [];
  for (const [form, make] of forms) {
    const match = rest === undefined ? null : form.exec(rest);
    if (match !== null) return { text, subject: subject!, holds: make(...match.slice(1)) };
  }
  throw new Error(
    `a check is “deployment/web has 3 available”, “pod/web is Running”, “service/web exists”, “pod/web is gone” or “deployment/web has spec.replicas = 3”, not “${text}”`,
  );
}

const valueAt = (object: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], object);

/** A word of the status, as `available` for `availableReplicas`; what is absent there is 0. */
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
