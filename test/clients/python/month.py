"""Keeps a small month by the client that openapi-python-client generated beside it, and prints its figures as one line of JSON.

Arguments: the address of the service and a key.
"""

import datetime
import json
import sys

from made.api.data_streams import streams_create
from made.api.figures import figures_balances, figures_open
from made.api.reconciliation_matches import matches_create
from made.api.reconciliation_periods import periods_close, periods_create, periods_get, periods_prepare, periods_review
from made.api.reconciliations import open_items_put, reconciliations_create
from made.api.records import records_create
from made.client import AuthenticatedClient
from made.models import (
    MatchesCreateRequest,
    OpenItemsPutRequest,
    PeriodsCloseRequest,
    PeriodsCreateRequest,
    PeriodsPrepareRequest,
    PeriodsReviewRequest,
    ReconciliationsCreateRequest,
    RecordsCreateRequest,
    StreamsCreateRequest,
)

base_url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=key, auth_header_name="X-API-KEY", prefix="")
START, END = datetime.date(2026, 6, 1), datetime.date(2026, 6, 30)

for name, lines in (("bank", [-95000]), ("books", [-95000, -425])):
    streams_create.sync(client=client, body=StreamsCreateRequest(key=name, name=name))
    for amount in lines:
        line = RecordsCreateRequest(data_stream_key=name, date=START, amount=amount, currency="GBP")
        records_create.sync(client=client, body=line)

sides = {"name": "June", "run_type": "batch", "side_a_stream_ids": [2], "side_b_stream_ids": [1]}
made = reconciliations_create.sync(client=client, body=ReconciliationsCreateRequest.from_dict(sides))
match = matches_create.sync(client=client, body=MatchesCreateRequest(reconciliation_id=made.id, record_ids=[1, 2]))
balances = [
    {"side": "bank", "currency": "GBP", "opening": 100000, "stated_closing": 5000},
    {"side": "books", "currency": "GBP", "opening": 100000, "stated_closing": 4575},
]
days = {"from": START.isoformat(), "to": END.isoformat()}
asked = {"reconciliation_id": made.id, **days, "bank_side": "b", "balances": balances}
period = periods_create.sync(client=client, body=PeriodsCreateRequest.from_dict(asked))
item = OpenItemsPutRequest.from_dict({"status": "to_be_booked", "comment": "Tea"})
open_items_put.sync(made.id, 3, client=client, body=item)
periods_prepare.sync(period.id, client=client, body=PeriodsPrepareRequest(by="Amira Patel"))
periods_review.sync(period.id, client=client, body=PeriodsReviewRequest(by="Tom Whitfield"))
closed = periods_close.sync(period.id, client=client, body=PeriodsCloseRequest(by="Tom Whitfield"))
left = figures_open.sync(made.id, client=client, as_of=END)
agreed = figures_balances.sync(made.id, client=client, as_of=END)
refused = periods_get.sync_detailed(99, client=client)
print(
    json.dumps(
        {
            "matched": match.id,
            "open": left.value,
            "unexplained": agreed.value,
            "state": closed.state.value,
            "refused": int(refused.status_code),
        }
    )
)
