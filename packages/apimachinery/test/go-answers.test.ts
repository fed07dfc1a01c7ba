/**
 * Results of upstream's Go packages (apimachinery 0.36.3, sigs.k8s.io/yaml 1.6, evanphx/json-patch v4) for random
 * input, recorded once.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as m from '../src/index.ts';
import { messageOf } from '../src/message-of.ts';

type Recorded = readonly [what: string, first: string, second: string, answer: string];

const recorded = JSON.parse(readFileSync(new URL('go-answers.json', import.meta.url), 'utf8')) as Recorded[];

const path = m.FieldPath.of('f');
const listed = (errors: readonly m.FieldError[]) => `[${errors.map(m.fieldErrorText).join(' ')}]`;
const json = (value: unknown) => JSON.stringify(sorted(value));
const checked = (check: m.NameCheck) => (name: string) => check(name).join('|');

const answers: Readonly<Record<string, (first: string, second: string) => string>> = {
  quantity: (text) => m.canonicalQuantity(text),
  label: (text) => m.parseLabelSelector(text).toString(),
  field: (text) => m.parseFieldSelector(text).toString(),
  duration: (text) => `${m.parseDuration(text)} ${m.formatDuration(m.parseDuration(text))}`,
  time: (text) => JSON.stringify(m.canonicalTime(text)),
  microtime: (text) => JSON.stringify(m.canonicalMicroTime(text)),
  ip: (text) => `${listed(m.validateIp(path, text))} ${listed(m.validateLegacyIp(path, text))}`,
  cidr: (text) =>
    [m.validateCidr, m.validateLegacyCidr, m.validateInterfaceAddress]
      .map((check) => listed(check(path, text)))
      .join(' '),
  jsonpatch: (document, patch) =>
    json(m.applyJsonPatch(JSON.parse(document), m.decodeJsonPatch(JSON.parse(patch)))),
  mergepatch: (document, patch) => json(m.applyMergePatch(JSON.parse(document), JSON.parse(patch))),
  quote: (text) => m.goQuote(text),
  json2yaml: (text) => m.writeYaml(JSON.parse(text)),
  yaml2json: (text) => json(m.readYaml(text)),
  yaml2jsonstrict: (text) => json(m.readYaml(text, { strict: true })),
  dnslabel: checked(m.checkDnsLabel),
  dnssub: checked(m.checkDnsSubdomain),
  dns1035: checked(m.checkDns1035Label),
  wild: checked(m.checkWildcardDnsSubdomain),
  qname: checked(m.checkQualifiedName),
  labelvalue: checked(m.checkLabelValue),
  percent: checked(m.checkPercent),
  env: checked(m.checkEnvVarName),
  renv: checked(m.checkRelaxedEnvVarName),
  cfgkey: checked(m.checkConfigMapKey),
  portname: checked(m.checkPortName),
  cid: checked(m.checkCIdentifier),
  pathseg: checked(m.checkPathSegment),
  header: checked(m.checkHttpHeaderName),
};

/** go-yaml reads a raw NEL in JSON as a line break; js-yaml treats explicit indentation at the root differently. */
const knownDeviations = ([what, first]: Recorded) =>
  (what === 'json2yaml' && first.includes('\u0085')) || (what === 'yaml2json' && first.startsWith('|2'));

for (const what of Object.keys(answers)) {
  test(`${what}: answers as the original does`, () => {
    const cases = recorded.filter((one) => one[0] === what && !knownDeviations(one));
    expect(cases.length).toBeGreaterThan(0);
    for (const [, first, second, answer] of cases) {
      expect({ first, second, answer: ours(what, first, second) }).toEqual({
        first,
        second,
        answer: comparable(answer),
      });
    }
  });
}

function ours(what: string, first: string, second: string): string {
  try {
    return comparable(answers[what]!(first, second));
  } catch (error) {
    return comparable(`ERR ${messageOf(error)}`);
  }
}

/** Sorts members; the parser's own syntax errors have no fixed wording. */
function comparable(answer: string): string {
  if (/^ERR yaml: (?!unmarshal)/.test(answer)) return 'ERR yaml';
  if (!/^[{[]["\]}[{]/.test(answer)) return answer;
  try {
    return json(JSON.parse(answer));
  } catch {
    return answer;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}
