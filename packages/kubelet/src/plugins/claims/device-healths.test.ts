import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ManualClock } from '@coxswain/apimachinery';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ReportedDevice } from './device-health.ts';
import { DeviceHealths } from './device-healths.ts';

const driver = 'gpu.example.com';
const device: ReportedDevice = {
  pool: 'node',
  device: 'a',
  health: 'Healthy',
  message: 'cool',
  validMs: 10_000,
};
const healthy = expect.objectContaining({ health: 'Healthy', message: 'cool' });
const unknown = { health: 'Unknown', message: '' };

let clock: ManualClock;
let directory: string;
const errors: unknown[] = [];

beforeEach(() => {
  clock = new ManualClock();
  directory = mkdtempSync(path.join(tmpdir(), 'cox-healths-'));
  errors.length = 0;
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Each is that of another start of the kubelet. */
const healthsOfStart = () =>
  new DeviceHealths({ clock, directory, onError: (error) => void errors.push(error) });

test('a report that has expired no longer counts, and its pods are told with the next report', async () => {
  const healths = healthsOfStart();
  expect(healths.report(driver, [device])).toEqual([device]);
  expect(healths.report(driver, [device])).toEqual([]);
  await clock.advance(10_000);
  expect(healths.of(driver, device)).toEqual(healthy);
  await clock.advance(1);
  expect(healths.of(driver, device)).toEqual(unknown);
  const other = { ...device, device: 'b' };
  expect(healths.report(driver, [other])).toEqual([other, expect.objectContaining(device)]);
  expect(healths.report(driver, [device, other])).toEqual([device]);
  healths.forget(driver);
  expect(healths.of(driver, device)).toEqual(unknown);
  await healths.written();
});

test('health outlives a restart of the kubelet, as long as the report is valid', async () => {
  const before = healthsOfStart();
  before.report(driver, [device]);
  await before.written();
  await clock.advance(10_000);
  expect(healthsOfStart().of(driver, device)).toEqual(healthy);
  await clock.advance(1);
  expect(healthsOfStart().of(driver, device)).toEqual(unknown);
});

test('what a driver takes back before a restart stays unknown', async () => {
  const before = healthsOfStart();
  before.report(driver, [device]);
  before.forget(driver);
  await before.written();
  expect(healthsOfStart().of(driver, device)).toEqual(unknown);
});

test("the file is upstream's", async () => {
  const file = path.join(directory, 'dra_health_state');
  const healths = healthsOfStart();
  healths.report(driver, [device]);
  await healths.written();
  const entry = {
    PoolName: 'node',
    DeviceName: 'a',
    Health: 'Healthy',
    LastUpdated: new Date(clock.now()).toISOString(),
    HealthCheckTimeout: 10_000_000_000,
    Message: 'cool',
  };
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ [driver]: { Devices: { 'node/a': entry } } });
  const withDefault = { ...entry, LastUpdated: '1970-01-01T01:00:00.123456789+01:00', HealthCheckTimeout: 0 };
  writeFileSync(file, JSON.stringify({ [driver]: { Devices: { 'node/a': withDefault } } }));
  clock = new ManualClock(30_123);
  expect(healthsOfStart().of(driver, device)).toEqual(healthy);
  await clock.advance(1);
  expect(healthsOfStart().of(driver, device)).toEqual(unknown);
});

test('a damaged file is reported, and health is unknown until drivers report again', async () => {
  for (const text of ['', '{', 'null']) {
    writeFileSync(path.join(directory, 'dra_health_state'), text);
    expect(healthsOfStart().of(driver, device)).toEqual(unknown);
  }
  expect(errors).toHaveLength(3);
  const healths = healthsOfStart();
  healths.report(driver, [device]);
  await healths.written();
  expect(healthsOfStart().of(driver, device)).toEqual(healthy);
});
