import { expect, it } from 'vitest'
import { AppError, conflict, invalid, isTemporary } from './errors.ts'

const withCode = (code: string): Error => Object.assign(new Error('failed'), { code })

it('classifies a lost connection, a full disk and a rolled-back transaction as temporary', () => {
  const failures = [
    ...['SQLITE_FULL', 'SQLITE_BUSY', 'ENOSPC', 'ECONNRESET'].map(withCode),
    ...['40001', '40P01', '53100', '53300', '57P01', '58030'].map(withCode),
    Object.assign(withCode('EMFILE'), { syscall: 'open' }),
    new AppError('upstream', 'upstream_failed', 'The server closed the connection.'),
    conflict('Another instance looks after this account now.'),
    new DOMException('stopped', 'AbortError'),
  ]
  expect(failures.map(isTemporary)).toEqual(failures.map(() => true))
})

it('classifies every other error as a fault of the input', () => {
  const failures = [
    new RangeError('Maximum call stack size exceeded'),
    invalid('The message could not be read.'),
    new AppError('too_large', 'too_large', 'It is too large.'),
    ...['54000', '22021', '23505', 'SQLITE_CONSTRAINT_TRIGGER', 'SQLITE_TOOBIG'].map(withCode),
    'a text',
  ]
  expect(failures.map(isTemporary)).toEqual(failures.map(() => false))
})
