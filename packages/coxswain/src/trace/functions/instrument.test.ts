import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { parse } from 'acorn';
import type { CalledFunction } from '@coxswain/trace/called-function.ts';
import { expect, test } from 'vitest';
import { hookName, instrument, originalColumn } from './instrument.ts';

const packages = path.join(import.meta.dirname, '../../../..');

function instrumented(code: string): { code: string; functions: CalledFunction[]; shifts: Shifts } {
  const functions: CalledFunction[] = [];
  const placeOf = (line: number, column: number) => ({ file: 'a.ts', line, column });
  return { ...instrument(code, placeOf, (found) => functions.push(found) - 1), functions };
}

type Shifts = ReturnType<typeof instrument>['shifts'];

/** Runs a script and returns the reported calls in order. */
function calls(code: string): { reported: string[]; value: unknown } {
  const reported: string[] = [];
  const { code: ready, functions } = instrumented(code);
  const note = (id: number, args: readonly unknown[], body: () => unknown): unknown => {
    reported.push(`${functions[id]!.name}(${args.map(String).join(', ')})`);
    return body();
  };
  const value: unknown = vm.runInNewContext(`${ready}\nvalue`, {
    [hookName]: Object.assign(note, { iterate: note }),
  });
  return { reported, value };
}

test('functions of every form report their calls, and behave as before', () => {
  const { reported, value } = calls(`
    class Base { constructor(x) { this.x = x; } get twice() { return this.x * 2; } }
    class Derived extends Base {
      #secret = () => this.x;
      constructor(x) { super(x + 1); }
      read() { return super.twice + this.#secret(); }
      *each(n) { for (let i = 0; i < n; i++) yield this.x + i; }
      static of(x) { return new Derived(x); }
    }
    const plus = (a, { b, c: [d] }, ...rest) => ({ sum: a + b + d + rest.length });
    function all() { return [...arguments].map((one) => one * 2); }
    var value = [Derived.of(1).read(), [...Derived.of(1).each(2)], plus(1, { b: 2, c: [3] }, 4, 5).sum, all(1, 2)];
  `);
  expect(JSON.parse(JSON.stringify(value))).toEqual([6, [2, 3], 8, [2, 4]]);
  expect(reported).toEqual([
    'of(1)',
    'new Derived(1)',
    'new Base(2)',
    'read()',
    'twice()',
    '#secret()',
    'of(1)',
    'new Derived(1)',
    'new Base(2)',
    'each(2)',
    'plus(1, 2, 3, 4,5)',
    'all()',
    'map callback(1)',
    'map callback(2)',
  ]);
});

test('asynchronous functions and generators are still asynchronous', async () => {
  const { reported, value } = calls(`
    const object = { async twice(n) { return (await n) * 2; }, async *each() { yield await this.twice(4); } };
    const once = async (n) => n;
    var value = (async () => {
      let sum = await once(1);
      for await (const one of object.each()) sum += one;
      return sum;
    })();
  `);
  expect(await value).toBe(9);
  expect(reported).toEqual(['function()', 'once(1)', 'each()', 'twice(4)']);
});

test('functions may end at one place', () => {
  const { reported, value } = calls(
    'const f=(a)=>{return (b)=>(c)=>a+b+c};var value=(()=>{return f(1)(2)(3)})()',
  );
  expect(value).toBe(6);
  expect(reported).toEqual(['function()', 'f(1)', 'function of f(2)', 'function of function of f(3)']);
});

test('a class is named after its variable', () => {
  expect(calls('const A=class{constructor(){}};var value=new A()').reported).toEqual(['new A()']);
});

test('line numbers are kept, and columns are mapped back', () => {
  const code = 'const f = (a) => a + 1;\nconst g = async (b) => { return f(b) + missing; };\n';
  const { code: ready, shifts } = instrumented(code);
  expect(ready.split('\n')).toHaveLength(3);
  for (const [line, word] of [
    [1, 'a + 1'],
    [2, 'return f'],
    [2, 'missing'],
    [2, '(b) =>'],
  ] as const) {
    const columnIn = (text: string) => text.split('\n')[line - 1]!.indexOf(word) + 1;
    expect(originalColumn(shifts, line, columnIn(ready))).toBe(columnIn(code));
  }
});

test('the body of a step is the step', () => {
  expect(instrumented("runStep(observer, 'encode', () => encode(1));").functions).toEqual([]);
});

test('every source of the program can be instrumented', () => {
  const files = globSync('*/src/**/*.ts', { cwd: packages }).filter((file) => !file.endsWith('.test.ts'));
  // A fixed sample, since instrumenting all files takes seconds.
  const some = files.toSorted().filter((_, index) => index % 10 === 0);
  expect(some.length).toBeGreaterThan(200);
  for (const file of some) {
    const { code } = instrumented(stripTypeScriptTypes(readFileSync(path.join(packages, file), 'utf8')));
    expect(() => parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), file).not.toThrow();
  }
});
