/** The published types of `coxswain/browser` match those of the sources. */
import { expect, expectTypeOf, test } from 'vitest';
import type * as published from '../../types/browser.d.ts';
import * as own from './index.ts';

/** Nothing is called; only the compiler checks this. */
const typeTests = {
  createCluster: () => {
    expectTypeOf(own.createCluster).toExtend<typeof published.createCluster>();
  },
  kubectl: () => {
    expectTypeOf(own.kubectl).parameter(2).toEqualTypeOf<published.KubectlOptions | undefined>();
    expectTypeOf(own.kubectl).returns.resolves.toEqualTypeOf<published.KubectlResult>();
    expectTypeOf<published.TestCluster>().toExtend<published.KubectlCluster>();
  },
  createClusterInWorker: () => {
    expectTypeOf(own.createClusterInWorker).toExtend<typeof published.createClusterInWorker>();
    expectTypeOf<published.WorkerCluster>().toExtend<published.KubectlCluster>();
  },
  storedFile: () => {
    expectTypeOf(own.storedFile).toEqualTypeOf<typeof published.storedFile>();
  },
  filesOf: () => {
    expectTypeOf(own.filesOf).toExtend<typeof published.filesOf>();
  },
};

test('everything that is exported has a published type', () => {
  const asserted = ['assertEventuallyHas', 'assertEventuallyLacks', 'assertRequested'];
  expect(Object.keys(own).toSorted()).toEqual([...Object.keys(typeTests), ...asserted].toSorted());
});
