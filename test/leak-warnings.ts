/** Set up in every worker of the tests: where Node warns that listeners pile up, the run fails. */

if (!process.listeners('warning').some(({ name }) => name === failOnLeak.name))
  process.on('warning', failOnLeak);

/** Thrown, it is an unhandled error of the run, with the place where the one listener too many was added. */
function failOnLeak(warning: Error): void {
  if (warning.name === 'MaxListenersExceededWarning') throw warning;
}
