import java.time.LocalDate;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** Keeps a small month by the generated client, and prints its figures as one line of JSON. Arguments: the address of the service and a key. */
public final class Month {
  public static void main(String[] given) throws ApiException {
    ApiClient client = new ApiClient();
    client.setBasePath(given[0]);
    client.setApiKey(given[1]);
    addLines(client, "bank", -95_000L);
    addLines(client, "books", -95_000L, -425L);

    LocalDate end = LocalDate.parse("2026-06-30");
    Long reconciliation = new ReconciliationsApi(client).reconciliationsCreate(
      new ReconciliationsCreateRequest().name("June").runType(ReconciliationsCreateRequest.RunTypeEnum.BATCH)
        .sideAStreamIds(List.of(2L)).sideBStreamIds(List.of(1L)), null).getId();
    Match match = new ReconciliationMatchesApi(client).matchesCreate(
      new MatchesCreateRequest().reconciliationId(reconciliation).recordIds(List.of(1L, 2L)), null);

    ReconciliationPeriodsApi periods = new ReconciliationPeriodsApi(client);
    Long period = periods.periodsCreate(
      new PeriodsCreateRequest().reconciliationId(reconciliation).from(LocalDate.parse("2026-06-01")).to(end)
        .bankSide(PeriodsCreateRequest.BankSideEnum.B)
        .balances(List.of(
          balance(PeriodsCreateRequestBalancesInner.SideEnum.BANK, 5_000L),
          balance(PeriodsCreateRequestBalancesInner.SideEnum.BOOKS, 4_575L))), null).getId();
    new ReconciliationsApi(client).openItemsPut(
      reconciliation, 3L, null, new OpenItemsPutRequest().status(OpenItemsPutRequest.StatusEnum.TO_BE_BOOKED).comment("Tea"));
    periods.periodsPrepare(period, new PeriodsPrepareRequest().by("Amira Patel"), null);
    periods.periodsReview(period, new PeriodsReviewRequest().by("Tom Whitfield"), null);
    ReconciliationPeriod closed = periods.periodsClose(period, new PeriodsCloseRequest().by("Tom Whitfield"), null);

    FiguresApi figures = new FiguresApi(client);
    String open = figures.figuresOpen(reconciliation, end, null, null, null, null, null).getValue();
    String unexplained = figures.figuresBalances(reconciliation, end, null, null, null, null).getValue();
    System.out.printf("{\"matched\":%d,\"open\":\"%s\",\"unexplained\":\"%s\",\"state\":\"%s\",\"refused\":%d}%n",
      match.getId(), open, unexplained, closed.getState().getValue(), statusOfUnknown(periods));
    System.exit(0);
  }

  private static void addLines(ApiClient client, String stream, Long... amounts) throws ApiException {
    new DataStreamsApi(client).streamsCreate(new StreamsCreateRequest().key(stream).name(stream), null);
    for (Long amount : amounts) {
      new RecordsApi(client).recordsCreate(
        new RecordsCreateRequest().dataStreamKey(stream).date(LocalDate.parse("2026-06-01")).amount(amount).currency("GBP"), null);
    }
  }

  private static PeriodsCreateRequestBalancesInner balance(PeriodsCreateRequestBalancesInner.SideEnum side, Long closing) {
    return new PeriodsCreateRequestBalancesInner().side(side).currency("GBP").opening(100_000L).statedClosing(closing);
  }

  private static int statusOfUnknown(ReconciliationPeriodsApi periods) {
    try {
      periods.periodsGet(99L, null);
      return 200;
    } catch (ApiException refused) {
      return refused.getCode();
    }
  }
}
