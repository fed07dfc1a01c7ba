import { expect, test } from 'vitest';
import type * as published from '../../types/testing.d.ts';
import type * as whole from '../../types/index.d.ts';
import { startCluster } from '../index.ts';
import * as own from './index.ts';

/** The compiler refuses this file when what is published is not what there is. */
type Published = typeof published;
const create: (options?: published.CreateClusterOptions) => Promise<published.TestCluster> =
  own.createCluster;
type Unsaid = Exclude<keyof own.TestCluster, keyof published.TestCluster>;
const saysAll: [Unsaid] extends [never] ? true : Unsaid = true;
const start: (options?: whole.ClusterOptions) => Promise<whole.Cluster> = startCluster;
const options: (given: own.CreateClusterOptions) => published.CreateClusterOptions = (given) => given;

test('all that is published is there', () => {
  const names: Record<keyof Published, true> = {
    createCluster: true,
    withCluster: true,
    matchers: true,
    assertEventuallyHas: true,
    assertEventuallyLacks: true,
    assertRequested: true,
  };
  expect(Object.keys(own).toSorted()).toEqual(Object.keys(names).toSorted());
  expect(saysAll).toBe(true);
  expect(create).toBe(own.createCluster);
  expect(start).toBe(startCluster);
  expect(options({ seed: 1 })).toEqual({ seed: 1 });
});
