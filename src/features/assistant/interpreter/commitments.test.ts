import { expect, it } from 'vitest'
import { readCommitmentRequest } from './commitments.ts'

it.each([
  ['What did I promise Ana?', { direction: 'mine', person: 'Ana' }],
  ['what do I owe Ben Okafor?', { direction: 'mine', person: 'Ben Okafor' }],
  ['What does Ben owe me?', { direction: 'theirs', person: 'Ben' }],
  ['what did Ana promise me', { direction: 'theirs', person: 'Ana' }],
  ['Which promises are overdue?', { overdue: true }],
  ['Show my promises', { direction: 'mine' }],
  ['list promises from ana@ruiz.example', { person: 'ana@ruiz.example' }],
  ['Who promised me something?', { direction: 'theirs' }],
  ['Was habe ich Jonas versprochen?', { direction: 'mine', person: 'Jonas' }],
  ['Was schuldet mir Ben?', { direction: 'theirs', person: 'Ben' }],
  ['Was hat Ana mir zugesagt?', { direction: 'theirs', person: 'Ana' }],
  ['Welche Zusagen sind überfällig?', { overdue: true }],
  ['Mark my promise to Ana as done', { direction: 'mine', person: 'Ana', close: true }],
] as const)('reads “%s”', (message, expected) => {
  expect(readCommitmentRequest(message)).toEqual(expected)
})

it.each([
  'Write to Ana that I promise to come',
  'Remind me to keep my promise',
  'Add a task: send the promised offer',
  'I promise to be good',
  'What is on my calendar?',
  'Schreib Jonas, dass ich es versprochen habe',
])('leaves “%s” to the classifier', (message) => {
  expect(readCommitmentRequest(message)).toBeUndefined()
})
