import { useDates } from '../../../ui/time.tsx'
import type { Unsubscription } from './use-mailing-lists.ts'

/** That a list was left, as far as anybody knows. */
export const LeftWords = ({ left: { at, to, status } }: { left: Unsubscription }) => {
  const { date } = useDates()
  switch (status) {
    case 'accepted':
      return <>You left it on {date(at)}.</>
    case 'queued':
      return <>A mail to {to} is on its way.</>
    case 'uncertain':
      return <>Nobody can tell whether your mail to {to} was sent.</>
    default:
      return (
        <>
          You wrote to {to} on {date(at)}.
        </>
      )
  }
}
