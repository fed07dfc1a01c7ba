/** Cases in the oracle's format that are made by the hundred, and how they are played. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Transport } from '@coxswain/client/transport.ts';
import type { AnswerView, Case, Step } from '../../../packages/kube-apiserver/test/oracle/case.ts';
import { playCase } from '../../../packages/kube-apiserver/test/oracle/play.ts';
import { inOrder } from '../pair.ts';

export type DifferentialCase = Omit<Case, 'answers'>;

/** By the name of the case, what was answered to each step; what ended a case early stands for all that is missing. */
export type Answers = Readonly<Record<string, readonly unknown[]>>;

/** `POST /path`, a body, and what else the step says. A step without a name gets one by its place (`s0`, `s1`, …). */
export const ask = (req: string, body?: unknown, more: Partial<Step> = {}): Step => ({
  name: '',
  req,
  ...(body !== undefined && { body }),
  ...more,
});

export const mergePatch: Partial<Step> = { type: 'application/merge-patch+json' };
export const jsonPatch: Partial<Step> = { type: 'application/json-patch+json' };
export const strategicPatch: Partial<Step> = { type: 'application/strategic-merge-patch+json' };
export const applyPatch: Partial<Step> = { type: 'application/apply-patch+yaml' };

const directory = new URL('.', import.meta.url);
const recordings = new URL('recorded/', import.meta.url);
const suffix = '.cases.ts';

export const areaNames = (): string[] =>
  readdirSync(directory)
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .toSorted();

export async function casesOf(area: string): Promise<readonly DifferentialCase[]> {
  const module = (await import(new URL(`${area}${suffix}`, directory).href)) as { cases: DifferentialCase[] };
  return module.cases;
}

/** Cases that disturb others come first, one by one. */
export async function playCases(
  cases: readonly DifferentialCase[],
  transport: Transport,
  atOnceMax: number,
): Promise<Answers> {
  const answers: Record<string, readonly unknown[]> = {};
  const play = async (one: DifferentialCase) => {
    const steps = one.steps.map((step, at) => ({ ...step, name: step.name || `s${at}` }));
    const { answers: given, problem } = await playCase({ ...one, steps, answers: [] }, transport);
    const byName = new Map(given.map((answer) => [answer.name, answer]));
    answers[one.name] = steps.map(({ name }) => {
      const answer = byName.get(name);
      return answer === undefined ? { problem } : inOrder({ ...answer, ...joinedWarnings(answer) });
    });
  };
  for (const one of cases) if (one.serial) await play(one);
  const queue = cases.filter(({ serial }) => !serial).values();
  const work = async () => {
    for (const one of queue) await play(one);
  };
  await Promise.all(Array.from({ length: atOnceMax }, work));
  return answers;
}

/** HTTP/2 clients join what came in several lines. */
const joinedWarnings = ({ headers = {} }: AnswerView): Pick<AnswerView, 'headers'> => ({
  headers: {
    ...headers,
    ...(headers['warning'] !== undefined && { warning: [headers['warning']].flat().join(', ') }),
  },
});

const recordingOf = (area: string): URL => new URL(`${area}.json.gz`, recordings);

/** What the original said, if it was recorded. */
export const recordedAnswers = (area: string): Answers | undefined =>
  existsSync(recordingOf(area))
    ? (JSON.parse(gunzipSync(readFileSync(recordingOf(area))).toString()) as Answers)
    : undefined;

export function recordAnswers(area: string, answers: Answers): void {
  mkdirSync(recordings, { recursive: true });
  const sorted = Object.fromEntries(Object.entries(answers).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(recordingOf(area), gzipSync(JSON.stringify(sorted), { level: 9 }));
}
