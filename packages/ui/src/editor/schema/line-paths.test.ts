import { expect, test } from 'vitest';
import { fieldLines, placeAtEnd } from './line-paths.ts';

const yaml = `apiVersion: apps/v1
kind: Deployment
metadata:
  annotations:
    "a/b": c
    text: |
      not: a field
      - nor: this
  name: web # said
spec:
  template:
    spec:
      containers:
      - name: one
        ports:
          - containerPort: 80
      - env:
        - name: A
---
kind: ConfigMap
data:
  key: "x: y"
`;

test('each field has its path, in lists of either style and in each document', () => {
  expect(fieldLines(yaml).map(({ document, path }) => `${document} ${path.join('.')}`)).toEqual([
    '0 apiVersion',
    '0 kind',
    '0 metadata',
    '0 metadata.annotations',
    '0 metadata.annotations.a/b',
    '0 metadata.annotations.text',
    '0 metadata.name',
    '0 spec',
    '0 spec.template',
    '0 spec.template.spec',
    '0 spec.template.spec.containers',
    '0 spec.template.spec.containers.0.name',
    '0 spec.template.spec.containers.0.ports',
    '0 spec.template.spec.containers.0.ports.0.containerPort',
    '0 spec.template.spec.containers.1.env',
    '0 spec.template.spec.containers.1.env.0.name',
    '1 kind',
    '1 data',
    '1 data.key',
  ]);
});

test('the column of an incomplete field determines its place', () => {
  const until = yaml.slice(0, yaml.indexOf('---'));
  const at = (line: string): string => placeAtEnd(until + line).parent.join('.');
  expect(at('          val')).toBe('spec.template.spec.containers.1.env.0');
  expect(at('        im')).toBe('spec.template.spec.containers.1');
  expect(at('      - ')).toBe('spec.template.spec.containers.2');
  expect(at('      rest')).toBe('spec.template.spec');
  expect(at('')).toBe('');
});
