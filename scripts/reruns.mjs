import { relative } from 'node:path'

/** Tests with real servers and browsers can be flaky: up to this many failed files run again, once and alone. */
export const MAX_RERUN_FILES = 2

/** Returns the files of a report that run again. Many failures have a cause that a second run would only hide. */
export function selectReruns(files) {
  const failed = files.filter(({ status }) => status === 'failed')
  return failed.length > MAX_RERUN_FILES ? [] : failed
}

/** Returns one line for each file that ran again, with the reason of its first failure. */
export function describeReruns(failed, again, root) {
  return failed.map(({ name, message, assertionResults }) => {
    const passed = again.find((file) => file.name === name)?.status === 'passed'
    const test = assertionResults.find(({ status }) => status === 'failed')
    const why = test ? `${test.fullName}: ${test.failureMessages[0]}` : message
    return `Ran again and ${passed ? 'passed' : 'failed'}: ${relative(root, name)} > ${why.split('\n')[0]}`
  })
}
