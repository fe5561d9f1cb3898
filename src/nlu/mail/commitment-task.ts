import { type CommitmentMail, type FoundCommitment, findCommitments } from './commitments.ts'

export interface CommitmentRequest {
  mail: CommitmentMail
  options: { date: number; timezone: string }
}

/** Entry point for a worker thread, which passes one argument. */
export const find = ({ mail, options }: CommitmentRequest): FoundCommitment[] =>
  findCommitments(mail, options)
