/**
 * `npm run differ-cases -- --original URL [area…]`: plays the cases of `cases/<area>.cases.ts` on a real API server
 * and on ours and prints every answer that differs. See README.md.
 */
import { parseArgs } from 'node:util';
import { HttpTransport } from '@coxswain/client/https/http-transport.ts';
import type { Transport } from '@coxswain/client/transport.ts';
import {
  describeDifference,
  differencesOf,
  type Difference,
} from '../../packages/kube-apiserver/test/oracle/differences.ts';
import { recordedServer } from '../../packages/kube-apiserver/test/oracle/replay.ts';
import {
  areaNames,
  casesOf,
  playCases,
  recordAnswers,
  recordedAnswers,
  type Answers,
  type DifferentialCase,
} from './cases/case.ts';
import { withProtobuf } from './cases/protobuf-transport.ts';
import { variedCases } from './cases/variations.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    original: { type: 'string', default: 'https://127.0.0.1:6443' },
    /** Only cases with one of these in their names. */
    case: { type: 'string', multiple: true, default: [] },
    show: { type: 'string', default: '40' },
    'at-once': { type: 'string', default: '6' },
    /** Prints what the original answers, too. */
    answers: { type: 'boolean', default: false },
    /** Keeps what the original answers for `cases.test.ts`. */
    record: { type: 'boolean', default: false },
    /** The oracle's recorded cases instead, asked otherwise (`cases/variations.ts`). */
    vary: { type: 'string' },
    /** Sends bodies of built-in kinds as protobuf, and accepts protobuf. */
    protobuf: { type: 'boolean', default: false },
  },
});

const server = await recordedServer();
const original = withPatience(new HttpTransport({ server: values.original, insecure: true }));
const ours = server.inProcess(undefined, { structured: false });
let differing = 0;
for (const [area, cases] of await casesByArea()) differing += await judge(area, cases);
await server.stop();
await original.close();
process.exit(differing === 0 ? 0 : 1);

/** Nothing was done yet when a handshake takes too long on a crowded machine, or a connection that ends refuses a stream. */
function withPatience(transport: HttpTransport): HttpTransport {
  const send: Transport['send'] = transport.send.bind(transport);
  transport.send = (request) =>
    send(request).catch((failure: Error) => {
      if (!/TLS handshake timeout|NGHTTP2_REFUSED_STREAM/.test(failure.message)) throw failure;
      return transport.send(request);
    });
  return transport;
}

async function casesByArea(): Promise<ReadonlyMap<string, readonly DifferentialCase[]>> {
  if (values.vary !== undefined) return variedCases(values.vary, positionals);
  const areas = areaNames().filter((name) => positionals.length === 0 || positionals.includes(name));
  return new Map(await Promise.all(areas.map(async (area) => [area, await casesOf(area)] as const)));
}

async function judge(area: string, all: readonly DifferentialCase[]): Promise<number> {
  const cases = all.filter(
    ({ name }) => values.case.length === 0 || values.case.some((part) => name.includes(part)),
  );
  const [theirs, own] = await Promise.all(
    [original, ours]
      .map((transport) => (values.protobuf ? withProtobuf(transport) : transport))
      .map((transport) => playCases(cases, transport, Number(values['at-once']))),
  );
  if (values.record) recordAnswers(area, { ...recordedAnswers(area), ...theirs });
  const alike = differencesAlike(cases, theirs!, own!);
  for (const [described, questions] of [...alike].slice(0, Number(values.show))) {
    console.log(`${area}/${questions[0]}\n    ${described}`);
    if (questions.length > 1) console.log(`    … and ${questions.length - 1} like it`);
  }
  const differ = [...alike.values()].flat().length;
  console.log(`${area}: ${cases.flatMap(({ steps }) => steps).length} asked, ${differ} differ`);
  return differ;
}

/** By what differs, the questions that it differs at. */
function differencesAlike(cases: readonly DifferentialCase[], theirs: Answers, own: Answers) {
  const alike = new Map<string, string[]>();
  for (const { name, steps } of cases) {
    // A case may end where something that it refers to was refused, if it does for both.
    const problems = [theirs, own].map((answers) => problemOf(answers[name]!));
    if (problems[0] !== problems[1]) {
      alike.set(problems.map((problem) => problem ?? 'played to its end').join('\n    '), [name]);
      continue;
    }
    for (const [at, { req, body = '' }] of steps.entries()) {
      const question = `${name} s${at}: ${req} ${JSON.stringify(body).slice(0, 400)}`;
      const [expected, got] = [theirs[name]![at], own[name]![at]];
      if (values.answers) console.log(`${question}\n    ${JSON.stringify(expected)}`);
      const described = differencesOf(expected, got).map((difference) =>
        describeDifference(withoutCommonHead(difference), 600),
      );
      if (described.length > 0) alike.getOrInsertComputed(described.join('\n    '), () => []).push(question);
    }
  }
  return alike;
}

/** Long texts are shown from where they differ. */
function withoutCommonHead(difference: Difference): Difference {
  const { expected, got } = difference;
  if (typeof expected !== 'string' || typeof got !== 'string' || expected.length < 300) return difference;
  const from = [...expected].findIndex((character, at) => character !== got[at]);
  const tail = (text: string): string => `…${text.slice(Math.max(0, from - 40))}`;
  return { ...difference, expected: tail(expected), got: tail(got) };
}

/** What ended a case early. */
function problemOf(answers: readonly unknown[]): string | undefined {
  const stopped = answers as readonly { readonly problem?: string }[];
  return stopped.find(({ problem }) => problem !== undefined)?.problem;
}
