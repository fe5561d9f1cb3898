import { CircleCheck, CircleX } from 'lucide-react'
import type { Shape } from '../../../api/client.ts'
import { Notice } from '../../../ui/notice.tsx'

type Side = Shape<'MailTestSide'>

const STEPS: Readonly<Record<NonNullable<Side['failure']>['step'], string>> = {
  dns: 'finding the server',
  connect: 'connecting',
  tls: 'securing the connection',
  greeting: 'the server’s greeting',
  login: 'signing in',
  select: 'opening the mailbox',
  command: 'a command',
}

const Line = ({ what, side }: { what: string; side: Side }) => (
  <li>
    {side.ok ? <CircleCheck size={17} aria-hidden="true" /> : <CircleX size={17} aria-hidden="true" />}
    <div>
      <p>
        <strong>{what}:</strong> {side.failure ? `failed at ${STEPS[side.failure.step]}` : 'works'}
      </p>
      {side.failure && (
        <p>
          {side.failure.problem} {side.failure.remedy}
        </p>
      )}
    </div>
  </li>
)

/** Test result for both servers. */
export const TestResult = ({ test }: { test: Shape<'MailTest'> }) => (
  <div role="status">
    <Notice tone={test.ok ? 'good' : 'bad'}>
      <ul className="mail-test">
        <Line what="Reading" side={test.imap} />
        <Line what="Sending" side={test.smtp} />
      </ul>
    </Notice>
  </div>
)
