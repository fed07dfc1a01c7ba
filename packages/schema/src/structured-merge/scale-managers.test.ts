import { expect, test } from 'vitest';
import { parentManagersOf, scaleManagersOf } from './scale-managers.ts';

const paths = { 'apps/v1': ['spec', 'replicas'] };
const replicas = { 'f:spec': { 'f:replicas': {} } };
const one = {
  manager: 'one',
  operation: 'Apply' as const,
  apiVersion: 'apps/v1',
  time: '2026-01-02T03:04:05Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { 'f:replicas': {}, 'f:selector': {} } },
};

test('owners of the replicas own those of the scale', () => {
  const other = { ...one, manager: 'other', fieldsV1: { 'f:spec': { 'f:selector': {} } } };

  expect(scaleManagersOf([one, other], paths)).toEqual([
    { ...one, apiVersion: 'autoscaling/v1', fieldsV1: replicas },
  ]);
});

test('a writer of the scale takes over the replicas, without a time', () => {
  const scaler = {
    manager: 'scaler',
    operation: 'Update' as const,
    apiVersion: 'autoscaling/v1',
    time: '2026-01-02T03:04:06Z',
    fieldsType: 'FieldsV1',
    fieldsV1: replicas,
    subresource: 'scale',
  };
  const { time: _time, ...untimed } = scaler;

  expect(parentManagersOf([one], [scaler], paths, 'apps/v1')).toEqual([
    { ...one, fieldsV1: { 'f:spec': { 'f:selector': {} } } },
    { ...untimed, apiVersion: 'apps/v1' },
  ]);
});

test('a manager that still owns them in the scale keeps its entry', () => {
  const inScale = { ...one, apiVersion: 'autoscaling/v1', fieldsV1: replicas };

  expect(parentManagersOf([one], [inScale], paths, 'apps/v1')).toEqual([one]);
});
