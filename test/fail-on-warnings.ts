/**
 * Set up in every worker of the tests: the run fails if Node warns of too many listeners, and if work that nobody
 * awaits is rejected and reported by default.
 */

if (!process.listeners('warning').some(({ name }) => name === failOnLeak.name)) {
  process.on('warning', failOnLeak);
  const print = console.error;
  console.error = (...values: unknown[]) => {
    print(...values);
    const [first] = values;
    if (typeof first === 'string' && first.startsWith('Unhandled Error: '))
      void Promise.reject(new Error(first));
  };
}

/** Thrown, it is an unhandled error of the run, with the place where the one listener too many was added. */
function failOnLeak(warning: Error): void {
  if (warning.name === 'MaxListenersExceededWarning') throw warning;
}
