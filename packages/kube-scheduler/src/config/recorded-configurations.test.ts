/**
 * Configurations with the recorded results of upstream's kube-scheduler (`npm run differ-scheduler-configurations`).
 */
import { readFileSync } from 'node:fs';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { expect, test } from 'vitest';
import { configurationDocument } from './configuration-document.ts';
import { usableConfiguration } from '../usable-configuration.ts';

interface Recorded {
  readonly text: string;
  readonly refusal?: string;
  /** How the written configuration differs from an empty one. */
  readonly added?: readonly string[];
  readonly missing?: readonly string[];
}

const file = new URL('../../test/recorded-configurations.json', import.meta.url);
const recorded = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Recorded>);

/** Known differences: ImageLocality also has a preScore step here, and an empty list of terms is treated as none. */
const otherwise: ReadonlySet<string> = new Set([
  'a plugin twice, everywhere',
  'added affinity without terms',
]);

async function writtenLines(text: string): Promise<readonly string[]> {
  return writeYaml(configurationDocument(await usableConfiguration(text))).split('\n');
}

const usual = await writtenLines(recorded.find(([name]) => name === 'nothing but the kind')![1].text);

test.each(recorded.filter(([name, { refusal }]) => refusal !== undefined && !otherwise.has(name)))(
  '%s is refused in the words of the original',
  async (_name, { text, refusal }) => {
    await expect(writtenLines(text)).rejects.toHaveProperty('message', refusal);
  },
);

test.each(recorded.filter(([name, { refusal }]) => refusal === undefined && !otherwise.has(name)))(
  '%s gets the defaults of the original',
  async (_name, { text, added, missing }) => {
    const lines = await writtenLines(text);

    expect(lines.filter((line) => !usual.includes(line))).toEqual(added);
    expect(usual.filter((line) => !lines.includes(line))).toEqual(missing);
  },
);
