import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { expect, test } from 'vitest';
import { sysctlAdmission } from './admit-sysctls.ts';

const withSysctls = (names: readonly string[], spec: object = {}): Pod =>
  ({ spec: { ...spec, securityContext: { sysctls: names.map((name) => ({ name, value: '1' })) } } }) as Pod;

const messageOf = (pod: Pod, allowed: readonly string[] = []): string | undefined =>
  sysctlAdmission(allowed)(pod)?.message;

test('parameters that are safe, or that the node allows, are a pod’s to set, with either separator', () => {
  expect(messageOf(withSysctls([]))).toBeUndefined();
  expect(messageOf(withSysctls(['kernel.shm_rmid_forced', 'net/ipv4/tcp_syncookies']))).toBeUndefined();
  expect(
    messageOf(withSysctls(['kernel.msgmax', 'net.core.somaxconn']), ['kernel.msg*', 'net.core.somaxconn']),
  ).toBeUndefined();
});

test("others are refused with upstream's message", () => {
  expect(sysctlAdmission([])(withSysctls(['kernel.shm_rmid_forced', 'kernel.msgmax']))).toEqual({
    reason: 'SysctlForbidden',
    message: 'forbidden sysctl: "kernel.msgmax" not allowlisted',
  });
});

test.each([
  [{ hostNetwork: true }, 'net.ipv4.tcp_syncookies', 'Net'],
  [{ hostIPC: true }, 'kernel.shm_rmid_forced', 'IPC'],
])('with %j the node’s own %s is not changed', (spec, name, namespace) => {
  expect(messageOf(withSysctls([name], spec))).toBe(
    `forbidden sysctl: "${name}" not allowed with host ${namespace} enabled`,
  );
});

test.each([
  ['kernel.panic', 'the sysctls "kernel.panic" are not known to be namespaced'],
  ['net.*.x', 'sysctl "net.*.x" must have at most 253 characters'],
])('a node does not start that is to allow %s', (pattern, message) => {
  expect(() => sysctlAdmission([pattern])).toThrow(message);
});
