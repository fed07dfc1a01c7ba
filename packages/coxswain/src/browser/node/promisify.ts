/** `node:util` */

export const promisify =
  <V extends readonly unknown[], R>(
    call: (...values: [...V, (failure: unknown, result: R) => void]) => void,
  ) =>
  (...values: V): Promise<R> =>
    new Promise((resolve, reject) =>
      call(...values, (failure, result) => (failure ? reject(failure) : resolve(result))),
    );

export const inspect = (value: unknown): string => JSON.stringify(value) ?? String(value);

export const getSystemErrorMap = (): ReadonlyMap<number, readonly [string, string]> => new Map();
