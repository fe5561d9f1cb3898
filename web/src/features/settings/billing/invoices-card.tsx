import { Download, ReceiptText } from 'lucide-react'
import { type Shape, unwrap } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { usePaged } from '../../../api/paged.ts'
import { describeError } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, Tag } from '../../../ui/card.tsx'
import { LoadedList } from '../../../ui/loaded.tsx'
import { Empty } from '../../../ui/notice.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { useDates } from '../../../ui/time.tsx'
import { useNotify } from '../../../ui/toast.tsx'
import { money } from './amounts.ts'

type Invoice = Shape<'InvoiceSummary'>

const STATES = {
  draft: { tone: 'plain', words: 'Draft' },
  open: { tone: 'warn', words: 'To be paid' },
  paid: { tone: 'good', words: 'Paid' },
  uncollectible: { tone: 'bad', words: 'Not paid' },
  void: { tone: 'plain', words: 'Void' },
} as const

const Row = ({ invoice, onDownload }: { invoice: Invoice; onDownload: () => void }) => {
  const { date } = useDates()
  const name = invoice.number ?? 'Not numbered yet'
  return (
    <li>
      <div className="row-main">
        <p className="row-title">
          {name}
          <Tag tone={STATES[invoice.status].tone}>{STATES[invoice.status].words}</Tag>
        </p>
        <p className="row-notes">
          <span>{date(invoice.createdAt)}</span>
          <span>{money(invoice.total, invoice.currency)}</span>
          {invoice.status === 'open' && invoice.hostedUrl !== null && (
            <span>
              <a href={invoice.hostedUrl} rel="noreferrer">
                Pay
              </a>
            </span>
          )}
        </p>
      </div>
      {invoice.hasPdf && (
        <div className="row-actions">
          <Button
            kind="quiet"
            shape="icon"
            size="small"
            aria-label={`Download invoice ${name}`}
            onClick={onDownload}
          >
            <Download size={17} aria-hidden="true" />
          </Button>
        </div>
      )}
    </li>
  )
}

export const InvoicesCard = () => {
  const client = useClient()
  const notify = useNotify()
  const query = usePaged(['billing', 'invoices'], (page) =>
    unwrap(client.GET('/api/settings/billing/invoices', { params: { query: page } })),
  )
  const download = async ({ id, number }: Invoice) => {
    try {
      const call = client.GET('/api/settings/billing/invoices/{id}/pdf', {
        params: { path: { id } },
        parseAs: 'blob' as const,
      })
      saveFile((await unwrap(call)) as unknown as Blob, `invoice-${number ?? id}.pdf`)
    } catch (error) {
      notify(describeError(error), { failed: true })
    }
  }
  return (
    <Card id="invoices" title="Invoices">
      <LoadedList
        needsClick
        query={query}
        itemsOf={({ invoices }) => invoices}
        empty={
          <Empty icon={ReceiptText} title="No invoices">
            <p>On the self-hosted plan nothing is charged, so there is nothing to pay.</p>
          </Empty>
        }
      >
        {(invoices) => (
          <ul className="rows">
            {invoices.map((invoice) => (
              <Row key={invoice.id} invoice={invoice} onDownload={() => void download(invoice)} />
            ))}
          </ul>
        )}
      </LoadedList>
    </Card>
  )
}
