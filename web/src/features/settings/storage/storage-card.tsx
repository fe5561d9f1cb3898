import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { Link } from 'wouter'
import * as t from '#locale/storage'
import type { Shape } from '../../../api/client.ts'
import { useClient } from '../../../api/context.tsx'
import { storageQuery } from '../../../api/storage.ts'
import { Card } from '../../../ui/card.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useAmounts } from '../billing/amounts.ts'

type Status = Shape<'StorageUsage'>['status']

const TONES = { nearly_full: 'warn', full: 'bad' } as const

const StatusNotice = ({ status, isLinked }: { status: Status; isLinked: boolean }) =>
  status === 'ok' ? null : (
    <Notice tone={TONES[status]} icon={TriangleAlert}>
      <p>{t.warnings[status]}</p>
      {isLinked && <Link href="/settings/usage#storage">{t.showStorage}</Link>}
    </Notice>
  )

/** Warns a user whose storage is nearly full. */
export const StorageNotice = () => {
  const status = useQuery(storageQuery(useClient())).data?.status ?? 'ok'
  return <StatusNotice status={status} isLinked />
}

export const StorageCard = () => {
  const query = useQuery(storageQuery(useClient()))
  const { bytes } = useAmounts()
  return (
    <Card id="storage" title={t.storage} about={t.storageAbout}>
      <Loaded query={query} lines={2}>
        {({ storageBytes, storageQuotaBytes, status }) => (
          <div className="stack">
            <StatusNotice status={status} isLinked={false} />
            {storageQuotaBytes === null ? (
              <p>{t.usedWithoutLimit(bytes(storageBytes))}</p>
            ) : (
              <>
                <p>{t.usedOfLimit({ used: bytes(storageBytes), limit: bytes(storageQuotaBytes) })}</p>
                <progress
                  aria-label={t.storageUsed}
                  max={storageQuotaBytes || 1}
                  value={Math.min(storageBytes, storageQuotaBytes || 1)}
                />
              </>
            )}
          </div>
        )}
      </Loaded>
    </Card>
  )
}
