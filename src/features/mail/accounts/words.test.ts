import { describe, expect, it } from 'vitest'
import { explainFailure } from './words.ts'

const at = (host: string) => ({ host, port: 993, certificate: null })
const rejected = { step: 'login', reason: 'credentials', response: 'Invalid credentials' } as const

describe('the explanation of a refusal', () => {
  it.each([
    ['imap.gmail.com', 'https://myaccount.google.com/apppasswords'],
    ['smtp.mail.me.com', 'https://account.apple.com/account/manage'],
    ['imap.web.de', 'https://hilfe.web.de/pop-imap/einschalten.html'],
    ['outlook.office365.com', 'Sign in with Microsoft'],
    ['mail.example.org', 'Check both.'],
    ['127.0.0.1', 'Check both.'],
  ])('quotes %s and names the action that helps there', (host, remedy) => {
    const explained = explainFailure(rejected, at(host), 'en')
    expect(explained.problem).toBe(`${host} rejected this user name and password (“Invalid credentials”).`)
    expect(explained.remedy).toContain(remedy)
  })

  it('does not suggest a password to an account that signs in with its provider', () => {
    const failure = { ...rejected, reason: 'signed_out' } as const
    const { problem, remedy } = explainFailure(failure, at('imap.gmail.com'), 'de')
    expect(problem).toContain('„Invalid credentials“')
    expect(remedy).not.toContain('App-Passw')
  })

  it('recognizes a full mailbox', () => {
    const failure = { step: 'command', reason: 'other', response: '[OVERQUOTA] Quota exceeded' } as const
    expect(explainFailure(failure, at('mail.example.org'), 'en')).toMatchObject({
      problem: 'mail.example.org refused the request (“[OVERQUOTA] Quota exceeded”).',
      remedy: 'Your mailbox is full. Delete mail, or get more storage from your provider.',
    })
  })
})
