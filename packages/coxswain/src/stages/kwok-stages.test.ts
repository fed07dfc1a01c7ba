/** Runs kwok's own stages, if its Go module is in the cache, and compares them with its recorded samples. */

import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { seededRandom, type KubeObject } from '@coxswain/apimachinery';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { createCluster } from '../testing/create-cluster.ts';
import { web } from '../testing/fixtures.ts';
import { compileStage } from './stage-choice.ts';
import { planStage, type PlannedStep } from './stage-plan.ts';
import { parseKwok } from './kwok-objects.ts';

const kwok = path.join(os.homedir(), 'go/pkg/mod/sigs.k8s.io/kwok@v0.8.0/kustomize/stage');

const stagesIn = (...directories: readonly string[]): string =>
  directories
    .flatMap((directory) =>
      readdirSync(path.join(kwok, directory))
        .filter((file) => file.endsWith('.yaml'))
        .map((file) => readFileSync(path.join(kwok, directory, file), 'utf8'))
        .filter((text) => text.includes('kind: Stage')),
    )
    .join('\n---\n');

const fakeNode = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name,
    annotations: { 'kwok.x-k8s.io/node': 'fake' },
    labels: { 'kubernetes.io/hostname': name },
  },
});

/** kwok's placeholders for values that vary. */
const placeholders = { nodeAddress: () => 'NODE', podAddress: () => 'POD' };
const now = '2026-01-01T00:00:00Z';
const nowMs = Date.parse(now);
const random = seededRandom(1);

interface SampleStage {
  readonly stage: string;
  readonly weight: number;
  readonly delay?: readonly number[];
  readonly next: readonly object[];
}

/** kwok's output for the sample object, in our format. */
const expectedOf = (output: string): readonly SampleStage[] =>
  (
    readYaml(
      output
        .replaceAll('<Now>', now)
        .replaceAll('<NodeIP>', 'NODE')
        .replaceAll('<NodeName>', 'kwok-controller')
        .replaceAll('<NodePort>', '10247')
        .replaceAll('<Version>', 'v0.8.0')
        // kwok's tool gives nodes and pods two addresses each, where they have one here.
        .replaceAll(/^ *- ip: .?<1 of .*\n/gm, '')
        .replaceAll(/<(0 of )?NodeIPs?With\(.*?\)>/g, 'NODE')
        .replaceAll(/<(0 of )?PodIPs?With\(.*?\)>/g, 'POD'),
    ) as { readonly stages: readonly SampleStage[] }
  ).stages;

function foundFor(stages: string, object: KubeObject): readonly SampleStage[] {
  return parseKwok(stages)
    .stages.filter(({ spec }) => spec.resourceRef.kind === object.kind)
    .map(compileStage)
    .filter((stage) => stage.matches(object))
    .map((compiled) => {
      const { spec, metadata } = compiled.stage;
      const delayNs = (part: number) =>
        compiled.delayMs(object, nowMs, { ...random, next: () => part }) * 1e6;
      const delay = [...new Set([0, 1].map(delayNs))];
      return {
        stage: metadata.name,
        weight: compiled.weight(object) ?? 0,
        ...(spec.delay !== undefined && { delay }),
        next: planStage(compiled.stage, object, { nowMs: () => nowMs, ...placeholders }).map(reported),
      };
    });
}

/** kwok's tool knows no types, so it creates a merge patch where a cluster uses a strategic one. */
function reported(step: PlannedStep): object {
  if (step.kind === 'event') return { kind: 'event', ...step.event };
  if (step.kind === 'delete') return step;
  const { kind, data, subresource, type } = step;
  return {
    kind,
    data,
    ...(subresource !== '' && { subresource }),
    type: type === 'apply' ? 'application/apply-patch+yaml' : 'application/merge-patch+json',
  };
}

describe.skipIf(!existsSync(kwok))("kwok's own stages", () => {
  const samples = existsSync(kwok) ? globSync('*/*/testdata/*.input.yaml', { cwd: kwok }).toSorted() : [];
  test.each(samples)('do to %s what kwok says', (sample) => {
    const read = (file: string) => readFileSync(path.join(kwok, file), 'utf8');
    const object = readYaml(read(sample)) as KubeObject;
    const expected = expectedOf(read(sample.replace('.input.', '.output.')));
    expect(foundFor(stagesIn(path.dirname(path.dirname(sample))), object)).toEqual(expected);
  });

  test.each([
    ['fast', ['node/fast', 'node/heartbeat-with-lease', 'pod/fast']],
    ['general', ['node/fast', 'node/heartbeat', 'pod/general']],
    ['general with chaos', ['node/fast', 'node/heartbeat', 'pod/general', 'pod/chaos', 'node/chaos']],
  ])('%s: a deployment becomes available, and is deleted', async (_name, directories) => {
    const complaints: string[] = [];
    const cluster = await createCluster({
      nodes: 0,
      stages: stagesIn(...directories),
      seed: 1,
      log: (line) => complaints.push(line),
    });
    try {
      await cluster.apply([fakeNode('fake-0'), fakeNode('fake-1')]);
      await cluster.apply(web(4));
      const available = async () => {
        const { status } = (await cluster.client
          .resource('apps/v1', 'deployments')
          .namespace('default')
          .get('web')) as {
          status?: { availableReplicas?: number };
        };
        return status?.availableReplicas === 4;
      };
      await cluster.eventually(available, { within: '2m' });
      await cluster.clock.advance('10m');
      expect(await available()).toBe(true);
      await cluster.remove(web(4));
      await cluster.eventually(
        async () => (await cluster.client.resource('v1', 'pods').list()).items.length === 0,
        { within: '2m' },
      );
      expect(complaints.filter((line) => line.startsWith('stages'))).toEqual([]);
    } finally {
      await cluster.stop();
    }
  });

  test('volumes: a claim gets a volume, which goes with it', async () => {
    const storageClass = readYaml(readFileSync(path.join(kwok, 'volume/fast/storage-class.yaml'), 'utf8'));
    const cluster = await createCluster({ nodes: 0, stages: stagesIn('volume/fast'), seed: 1 });
    try {
      await cluster.apply([storageClass as KubeObject, claim]);
      const claims = cluster.client.resource('v1', 'persistentvolumeclaims').namespace('default');
      const phase = async () =>
        ((await claims.get('data')) as { readonly status?: { readonly phase?: string } }).status?.phase;
      await cluster.eventually(async () => (await phase()) === 'Bound', { within: '1m' });
      await claims.delete('data');
      const volumes = cluster.client.resource('v1', 'persistentvolumes');
      await cluster.eventually(async () => (await volumes.list()).items.length === 0, { within: '5m' });
    } finally {
      await cluster.stop();
    }
  });
});

const claim = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'kwok-volume',
    resources: { requests: { storage: '1Gi' } },
  },
};
