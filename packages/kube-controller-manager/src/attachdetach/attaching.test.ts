import { expect, test } from 'vitest';
import type { Node, Pod } from '../objects.ts';
import { attachmentName, type AttachableVolume } from './attachable-volume.ts';
import { multiAttachError } from './attach-messages.ts';
import { maxWaitForUnmountMs, mayDetach } from './may-detach.ts';

const volume: AttachableVolume = {
  name: 'kubernetes.io/csi/d^h',
  volumeName: 'v',
  driver: 'd',
  handle: 'h',
  shared: false,
};

const node = (ready: 'True' | 'False', taints: object[] = []): Node =>
  ({ metadata: {}, spec: { taints }, status: { conditions: [{ type: 'Ready', status: ready }] } }) as Node;

test('the name of an attachment is a hash of volume, driver and node', async () => {
  expect(await attachmentName(volume, 'n')).toMatch(/^csi-[0-9a-f]{64}$/);
  expect(await attachmentName(volume, 'n')).not.toBe(await attachmentName(volume, 'm'));
});

test('a volume that is still mounted stays while its node is well', () => {
  expect(mayDetach(node('True'), true, maxWaitForUnmountMs)).toBe(false);
  expect(mayDetach(node('True'), false, 0)).toBe(true);
});

test('a node that is not ready loses a mounted volume after six minutes, a dead one at once', () => {
  expect(mayDetach(node('False'), true, maxWaitForUnmountMs - 1)).toBe(false);
  expect(mayDetach(node('False'), true, maxWaitForUnmountMs)).toBe(true);
  expect(mayDetach(node('True', [{ key: 'node.kubernetes.io/out-of-service' }]), true, 0)).toBe(true);
});

test("the event names other pods in the pod's namespace, and counts the rest", () => {
  const pod = (namespace: string, name: string) => ({ metadata: { namespace, name } }) as Pod;
  const text = (...users: Pod[]) => multiAttachError(volume, pod('a', 'p'), users);

  expect(text()).toContain("already exclusively attached to one node and can't be attached to another");
  expect(text(pod('a', 'q'), pod('b', 'r'))).toBe(
    'Multi-Attach error for volume "v" Volume is already used by pod(s) q and 1 pod(s) in different namespaces',
  );
  expect(text(pod('b', 'r'))).toContain('already used by 1 pod(s) in different namespaces');
});
