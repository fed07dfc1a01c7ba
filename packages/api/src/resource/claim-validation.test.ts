import { fieldErrorText } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { validateClaimStatus } from './claim-status-validation.ts';
import { validateClaim } from './claim-validation.ts';

type Claim = Parameters<typeof validateClaim>[0];

const metadata = { name: 'c', namespace: 'default', resourceVersion: '1' };
const claimFor = (request: object): Claim =>
  ({
    metadata,
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', ...request } }] } },
  }) as unknown as Claim;
const exact = { allocationMode: 'ExactCount', count: 1 };
const at = 'spec.devices.requests[0].exactly';

test.each([
  [{ ...exact, count: 0 }, `${at}.count: Invalid value: 0: must be greater than zero`],
  [
    { ...exact, selectors: [{ cel: { expression: 'device.driver' } }] },
    `${at}.selectors[0].cel.expression: Invalid value: "device.driver": must evaluate to bool or the unknown type, not string`,
  ],
  [
    { ...exact, tolerations: [{ operator: 'Exists', value: 'v' }] },
    `${at}.tolerations[0].value: Invalid value: "v": must be empty for operator \`Exists\``,
  ],
])('a request with %j is refused', (request, text) => {
  expect(validateClaim(claimFor(request), undefined).map(fieldErrorText)).toEqual([text]);
});

test('an allocation, once made, does not change', () => {
  const allocated = (device: string) =>
    ({
      ...claimFor(exact),
      status: {
        allocation: { devices: { results: [{ request: 'r', driver: 'a', pool: 'p', device }] } },
      },
    }) as Parameters<typeof validateClaimStatus>[0];
  const free = { ...claimFor(exact), status: {} } as Parameters<typeof validateClaimStatus>[0];

  expect(validateClaimStatus(allocated('one'), free)).toEqual([]);
  expect(
    validateClaimStatus(allocated('two'), allocated('one')).map(({ field, detail }) => [field, detail]),
  ).toEqual([['status.allocation', 'field is immutable']]);
});
