import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { buildKustomization } from './build.ts';
import { memoryFiles } from './testing/memory-files.ts';

interface Golden {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** The output of kubectl 1.36.3; `npm run differ-kustomize -- --export` writes such files. */
const goldenOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`./testing/${name}.json`, import.meta.url), 'utf8')) as readonly Golden[];

const root = '/golden';

function build(files: Readonly<Record<string, string>>): { out: string; err: string } {
  const lines: string[] = [];
  const options = {
    warn: (line: string) => void lines.push(line),
    log: (line: string) => void lines.push(line),
  };
  try {
    const out = buildKustomization(memoryFiles(root, files), 'over', options).toYaml();
    return { out, err: lines.join('\n') };
  } catch (failure) {
    return { out: '', err: [...lines, `error: ${messageOf(failure)}`].join('\n') };
  }
}

const withoutAddresses = (text: string): string => text.replace(/0x[0-9a-f]*/g, '0x').trimEnd();

describe.each(['recorded-directories', 'recorded-overlays'])('%s', (file) => {
  test.each(goldenOf(file))('$name is built as the original builds it', ({ files, out, err }) => {
    const built = build(files);

    expect(built.out).toBe(out);
    expect(withoutAddresses(built.err)).toBe(withoutAddresses(err.replaceAll('$DIR', root)));
  });
});

describe('a build', () => {
  const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';

  test('changes nothing of the files that it reads', () => {
    const files = {
      'over/kustomization.yaml': 'namePrefix: p-\nresources: [x.yaml]\n',
      'over/x.yaml': configMap,
    };

    expect(build(files)).toEqual(build(files));
  });

  test('refuses what is on another machine with a line that says what to do', () => {
    const remote = 'resources: ["github.com/someone/something"]\n';

    expect(build({ 'over/kustomization.yaml': remote }).err).toContain('remote resources are not supported');
  });

  test('reads files outside only when it may', () => {
    const files = memoryFiles(root, {
      'over/kustomization.yaml': 'resources: [../x.yaml]\n',
      'x.yaml': configMap,
    });

    expect(() => buildKustomization(files, 'over')).toThrow('is not in or below');
    expect(buildKustomization(files, 'over', { unrestricted: true }).resources).toHaveLength(1);
  });
});
